// The little of Markdown that the rules use: headings, lists, paragraphs, bold, italics, code; and the
// names of pieces in comments, `<!-- pieces: die-red arrow tile-5 -->`, which are drawn there.

import { number } from "./words";

export interface Part {
  text: string;
  strong?: boolean;
  em?: boolean;
  code?: boolean;
}
export interface Block {
  kind: "h1" | "h2" | "li" | "p" | "pieces";
  mark: string;
  parts: Part[];
  /** What is drawn here, by name. */
  pieces?: string[];
}

export function parts(text: string): Part[] {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)
    .filter(Boolean)
    .map((piece) => {
      if (piece.startsWith("**")) return { text: piece.slice(2, -2), strong: true };
      if (piece.startsWith("*")) return { text: piece.slice(1, -1), em: true };
      if (piece.startsWith("`")) return { text: piece.slice(1, -1), code: true };
      return { text: piece };
    });
}

/** The rules with the times that a table plays, in seconds, where it has chosen its own. */
export function timed(text: string, options: Record<string, unknown>): string {
  return text.replace(/(`(\w+_ms)`\W+)\d+/g, (usual, before: string, name: string) => {
    const ms = options[name];
    return typeof ms === "number" ? before + number(ms / 1000) : usual;
  });
}

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  let open = false;
  for (const line of text.split("\n")) {
    const item = /^(-|\d+\.) (.*)/.exec(line);
    const heading = /^(##?) (.*)/.exec(line);
    const pieces = /^\s*<!-- pieces: (.*) -->$/.exec(line)?.[1];
    if (pieces) found.push({ kind: "pieces", mark: "", parts: [], pieces: pieces.split(" ") });
    else if (!line.trim()) open = false;
    else if (heading)
      found.push({
        kind: heading[1] === "#" ? "h1" : "h2",
        mark: "",
        parts: parts(heading[2] ?? ""),
      });
    else if (item) {
      found.push({
        kind: "li",
        mark: item[1] === "-" ? "•" : (item[1] ?? ""),
        parts: parts(item[2] ?? ""),
      });
      open = true;
    } else if (open) found.at(-1)?.parts.push(...parts(" " + line.trim()));
    else {
      found.push({ kind: "p", mark: "", parts: parts(line.trim()) });
      open = true;
    }
  }
  return found;
}

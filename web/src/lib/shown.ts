// What the server words itself calls bots by their levels; here they have names of their own, and names
// that somebody has hidden are not shown.

const names = new Map<string, string>();

/** Take in what those at the table are called over the wire, and what they are called here. */
export function callThem(known: readonly (readonly [wire: string, here: string])[]): void {
  names.clear();
  for (const [wire, here] of known) names.set(wire, here);
}

/** Something that the server worded, with the names that are known here. */
export function asShown<T>(told: T): T {
  if (!names.size) return told;
  return JSON.parse(JSON.stringify(told), (_, value: unknown) =>
    typeof value === "string" ? renamed(value) : value,
  ) as T;
}

function renamed(text: string): string {
  for (const [wire, here] of names) text = text.replace(wholly(wire), () => here);
  return text;
}

/** A name that stands alone: inside of a longer word it is something else. */
function wholly(name: string): RegExp {
  const text = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, "gu");
}

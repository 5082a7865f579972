// What just happened, in words: from a frame, its moves and the frame before it.

import type { View as Buffet } from "../games/buffet/wire";
import type { TableInfo } from "../wire/frames";
import type { View as Kakerlaken } from "../games/kakerlaken/wire";
import type { View as Sushizock } from "../games/sushizock/wire";
import type { Frame, Seen } from "./live.svelte";
import { level, number, say, tell, type ServerKey } from "./words";

type Kind = "sushi" | "bones";

/** What somebody is called; bots are called by their level, in the reader's language. */
export function nameAt({ seats }: TableInfo, seat: number): string {
  const found = seats[seat];
  if (found?.bot) return `${level(found.bot)} ${seat + 1}`;
  return found?.name ?? say("seat", { n: seat + 1 });
}
export const nameOf = (frame: Frame, seat: number) => nameAt(frame.table, seat);
export const namesOf = (frame: Frame) => frame.table.seats.map((_, seat) => nameOf(frame, seat));

/** A line of the story. Of a claim we keep who took what kind; which tile, its pile tells as long as it can be seen. */
export interface Line {
  text: string;
  dice?: boolean;
  claim?: Seen;
  kind?: Kind | null;
  covered?: boolean;
}

function linesOf(frame: Frame, before: Frame | null): Line[] {
  const tellers = { sushizock, buffet, kakerlaken };
  return tellers[frame.table.game as keyof typeof tellers](frame, before);
}
export const storyOf = (frame: Frame, before: Frame | null) =>
  linesOf(frame, before).map(({ text }) => text);

/** Go on with a story; a new deal begins a new one. */
export function goOn(story: readonly Line[], frame: Frame, before: Frame | null): Line[] {
  const isNew = frame.log.some((move) => move.do === "deal");
  const old = isNew || frame.table.games !== before?.table.games ? [] : story;
  const news = linesOf(frame, before);
  return mustRemember(frame) ? fade(cover(old, news), frame) : [...old, ...news].slice(-200);
}

function faces(dice: unknown): string {
  const counts = new Map<string, number>();
  for (const face of dice as string[]) counts.set(face, (counts.get(face) ?? 0) + 1);
  return [...counts].map(([face, n]) => `${n} × ${tell(`face.${face}` as ServerKey)}`).join(", ");
}

function sushizock(frame: Frame, before: Frame | null): Line[] {
  const view = frame.view as Sushizock;
  const lines = frame.log.flatMap((move, at): Line[] => {
    const next = frame.log.slice(at).find(({ by }) => by !== "nature");
    const seat = move.do === "deal" ? move["starter"] : (next?.by ?? view.turn ?? 0);
    const name = nameOf(frame, seat as number);
    if (move.do === "deal") return [{ text: tell("sushizock.told_deal", { name }) }];
    if (move.do !== "roll" && move.do !== "keep")
      return [{ text: "", claim: move, kind: kindOf(move, frame, before) }];
    const dice = move["dice"] as (string | null)[];
    if (dice.includes(null)) return []; // how the dice of earlier turns fell is told no more
    return [{ text: tell(`sushizock.told_${move.do}`, { name, dice: faces(dice) }), dice: true }];
  });
  return cover([], lines).map((line) => claimed(line, frame));
}

/** Whether what lies covered must be remembered [S19]: not with open piles, and not after the end. */
const mustRemember = (frame: Frame) =>
  frame.table.game === "sushizock" && !frame.over && !(frame.view as Sushizock).options.open_piles;

/** Mark the claims whose tile may lie covered when more has happened; after a gap that may be any. */
function cover(old: readonly Line[], news: readonly Line[]): Line[] {
  const missed = news.some(({ claim }) => claim?.do === null);
  let lines = old.map((line) => (missed ? { ...line, covered: true } : line));
  for (const line of news)
    lines = [...lines.map((o) => (touches(line, o) ? { ...o, covered: true } : o)), line];
  return lines;
}

/** Tell anew what can still be told: no covered tile, and no dice of earlier turns. */
function fade(lines: readonly Line[], frame: Frame): Line[] {
  const last = lines.findLastIndex(({ claim }) => claim);
  return lines.filter(({ dice }, at) => !dice || at > last).map((line) => claimed(line, frame));
}

/** Whether a claim comes from, or upon, the pile on which the tile of another one lies. */
function touches({ claim, kind }: Line, { claim: other, kind: pile }: Line): boolean {
  if (!claim?.do || !other || (kind ?? pile) !== pile) return false;
  return claim.by === other.by || claim["from"] === other.by;
}

/** Word a claim; a line that is none stays as it is. */
function claimed(line: Line, frame: Frame): Line {
  return line.claim ? { ...line, text: wordsOf(line.claim, line, frame) } : line;
}

function wordsOf(claim: Seen, { kind, covered }: Line, frame: Frame): string {
  const seat = claim.by as number;
  const name = nameOf(frame, seat);
  if (!claim.do || !kind) return tell("sushizock.told_covered", { name });
  const stolen = claim.do === "steal";
  const victim = stolen ? nameOf(frame, claim["from"] as number) : "";
  const top = (frame.view as Sushizock).piles[seat]?.[kind].at(-1) ?? null;
  if (covered || top === null)
    return tell(`sushizock.told_covered_${stolen ? "steal" : "take"}_${kind}`, { name, victim });
  const fields = { name, victim, tile: number(top) };
  if (claim.do === "forced") return tell("sushizock.told_forced", fields);
  if (!stolen) return tell(`sushizock.told_take_${kind}`, fields);
  const below = (claim["depth"] as number) > 1 ? "_below" : "";
  return tell(`sushizock.told_steal_${kind}${below}`, fields);
}

/** What kind of tile a claim brings; a forced take does not say, and who missed something may not know. */
function kindOf(move: Seen, frame: Frame, before: Frame | null): Kind | null {
  const named = move["row"] ?? move["pile"];
  if (named) return named as Kind;
  if ((frame.view as Sushizock).rows.bones.length) return "bones";
  if (!before) return null;
  if (!(before.view as Sushizock).rows.bones.length) return "sushi";
  return frame.log.filter(({ by, do: what }) => by !== "nature" && what !== "keep").length === 1
    ? "bones"
    : null;
}

const plain = (told: string[]): Line[] => told.map((text) => ({ text }));

function buffet(frame: Frame, before: Frame | null): Line[] {
  const view = frame.view as Buffet;
  const told = frame.log.flatMap((move) => {
    const name = move.by === "nature" ? "" : nameOf(frame, move.by);
    if (move.do === "deal")
      return [tell("buffet.told_deal", { name: nameOf(frame, move["starter"] as number) })];
    if (move.do === "shuffle") return [tell("buffet.told_shuffle")];
    if (move.do === "exchange")
      return [tell("buffet.told_exchange", { name, n: (move["cards"] as unknown[]).length })];
    return [];
  });
  const old = (before?.view as Buffet | undefined)?.revealed ?? null;
  const reveal = view.revealed;
  if (reveal && JSON.stringify(reveal) !== JSON.stringify(old)) {
    told.push(
      reveal.cards
        .map(([seat, card]) => say("shows", { name: nameOf(frame, seat), card }))
        .join(", ") + ".",
    );
    for (const [seat, plate] of reveal.left ?? []) told.push(leaving(frame, seat, plate));
  }
  return plain(told);
}

export function leaving(frame: Frame, seat: number, plate: [string, number] | null): string {
  const name = nameOf(frame, seat);
  if (!plate) return tell("buffet.told_hungry", { name });
  const food = tell(`food.${plate[0]}` as ServerKey);
  return say("leavesWith", { name, plate: `${food} ${number(plate[1])}` });
}

function kakerlaken(frame: Frame, before: Frame | null): Line[] {
  const view = frame.view as Kakerlaken;
  const told: string[] = [];
  const old = (before?.view as Kakerlaken | undefined)?.last ?? null;
  if (view.last && JSON.stringify(view.last) !== JSON.stringify(old)) told.push(outcome(frame));
  for (const move of frame.log) {
    if (move.do === "deal")
      told.push(tell("kakerlaken.told_deal", { name: nameOf(frame, move["starter"] as number) }));
    if (move.do === "give") {
      const [symbol, colour] = move["tile"] as [string, string];
      told.push(
        tell("kakerlaken.told_give", {
          name: nameOf(frame, move.by as number),
          ...tile(symbol, colour),
        }),
      );
    }
  }
  return plain(told);
}

export const tile = (symbol: string, colour: string) => ({
  symbol: tell(`symbol.${symbol}` as ServerKey),
  colour: tell(`colour.${colour}` as ServerKey),
});

/** What the last race brought. */
export function outcome(frame: Frame): string {
  const last = (frame.view as Kakerlaken).last;
  if (!last) return "";
  const name = last.seat === null ? "" : nameOf(frame, last.seat);
  const owner = last.owner === null ? "" : nameOf(frame, last.owner);
  return tell(`kakerlaken.${last.outcome}`, { name, owner });
}

// What just happened, in words: from a frame, its moves and the frame before it.

import type { View as Buffet } from "../wire/buffet";
import type { TableInfo } from "../wire/frames";
import type { View as Kakerlaken } from "../wire/kakerlaken";
import type { View as Sushizock } from "../wire/sushizock";
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

export function storyOf(frame: Frame, before: Frame | null): string[] {
  const tellers = { sushizock, buffet, kakerlaken };
  const teller = tellers[frame.table.game as keyof typeof tellers];
  return teller(frame, before);
}

function faces(dice: unknown): string {
  const counts = new Map<string, number>();
  for (const face of dice as string[]) counts.set(face, (counts.get(face) ?? 0) + 1);
  return [...counts].map(([face, n]) => `${n} × ${tell(`face.${face}` as ServerKey)}`).join(", ");
}

function sushizock(frame: Frame, before: Frame | null): string[] {
  const view = frame.view as Sushizock;
  const takes = ["take", "steal", "forced"];
  const last = frame.log.findLast((move) => takes.includes(String(move.do)));
  let roller = view.turn ?? 0;
  return frame.log.flatMap((move) => {
    const name = move.by === "nature" ? nameOf(frame, roller) : nameOf(frame, move.by);
    if (move.by !== "nature")
      roller = (move.by + (takes.includes(String(move.do)) ? 1 : 0)) % view.piles.length;
    const tile = move === last ? tileOf(view, before?.view as Sushizock | undefined, move) : "…";
    switch (move.do) {
      case "deal":
        roller = move["starter"] as number;
        return [tell("sushizock.told_deal", { name: nameOf(frame, roller) })];
      case "roll":
        return [tell("sushizock.told_roll", { name, dice: faces(move["dice"]) })];
      case "keep":
        return [tell("sushizock.told_keep", { name, dice: faces(move["dice"]) })];
      case "take":
        return [tell(`sushizock.told_take_${move["row"] as Kind}`, { name, tile })];
      case "steal": {
        const below = (move["depth"] as number) > 1 ? "_below" : "";
        const victim = nameOf(frame, move["from"] as number);
        const key = `sushizock.told_steal_${move["pile"] as Kind}${below}` as const;
        return [tell(key, { name, tile, victim })];
      }
      case "forced":
        return [tell("sushizock.told_forced", { name, tile })];
      default:
        return [];
    }
  });
}

/** The tile that somebody has just got lies on top of a pile of theirs. */
function tileOf(view: Sushizock, before: Sushizock | undefined, move: Seen): string {
  const piles = view.piles[move.by as number];
  if (!piles) return "…";
  const bonesBefore = before?.piles[move.by as number]?.bones.length ?? 0;
  const grown = piles.bones.length > bonesBefore ? "bones" : "sushi"; // a forced take names no row
  const kind = (move["row"] ?? move["pile"] ?? grown) as "sushi" | "bones";
  const tile = piles[kind].at(-1);
  return tile === null || tile === undefined ? "…" : number(tile);
}

function buffet(frame: Frame, before: Frame | null): string[] {
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
  return told;
}

export function leaving(frame: Frame, seat: number, plate: [string, number] | null): string {
  const name = nameOf(frame, seat);
  if (!plate) return tell("buffet.told_hungry", { name });
  const food = tell(`food.${plate[0]}` as ServerKey);
  return say("leavesWith", { name, plate: `${food} ${number(plate[1])}` });
}

function kakerlaken(frame: Frame, before: Frame | null): string[] {
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
  return told;
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

// Who the bots at the table are: the screen of a table tells it, and whatever draws a mouse or says a name asks.

import type { TableInfo } from "../wire/frames";
import { hidden } from "./hidden.svelte";
import { callThem } from "./shown";
import { botName, level, say } from "./words";

/** So many characters each level has; whoever sits further round is called like one of them, with a number. */
export const characters = 6;

/** What the bot of a level is called that sits here: each seat has its own, so that names stay and are never equal. */
export function calledAt(bot: string, seat: number): string {
  const name = botName(bot, (seat % characters) + 1);
  if (name === undefined) return `${level(bot)} ${seat + 1}`;
  return seat < characters ? name : `${name} ${Math.floor(seat / characters) + 1}`;
}

/** What is left of a name that was taken away: the server says it in English. */
const somebody = /^somebody( \d+)?$/;

/** What a person is called here who is not called by their own name: it is hidden, or was taken away. */
export function personAt(
  table: string,
  seat: number,
  name: string,
  cup?: string | null,
): string | undefined {
  return hidden.at(table, seat, name, cup) ? say("care.player", { n: seat + 1 }) : takenAway(name);
}

/** The same in a tournament, by their number there. */
export function personIn(cup: string, member: number, name: string): string | undefined {
  return hidden.in(cup, name) ? say("care.player", { n: member + 1 }) : takenAway(name);
}

function takenAway(name: string): string | undefined {
  const found = somebody.exec(name);
  return found ? say("care.somebody") + (found[1] ?? "") : undefined;
}

class Cast {
  private levels = $state.raw<readonly (string | null)[]>([]);

  /** Take the bots of a table in, until another one is shown. */
  meet(table: TableInfo | null | undefined): void {
    const seats = table?.seats ?? [];
    const levels = seats.map(({ bot }) => bot);
    callThem(
      seats.flatMap(({ bot, name }, seat) => {
        if (!name) return [];
        const here = bot
          ? calledAt(bot, seat)
          : personAt(table?.table ?? "", seat, name, table?.cup);
        return here === undefined ? [] : [[name, here]];
      }),
    );
    if (levels.join() !== this.levels.join()) this.levels = levels;
  }
  /** The level of the bot that sits here, if one does. */
  at(seat: number): string | null {
    return this.levels[seat] ?? null;
  }
}

export const cast = new Cast();

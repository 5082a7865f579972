// A finished game as boards, coach and replay want it, without a line to any table.

import type { SeatInfo, TableInfo } from "../wire/frames";
import type { Replayed } from "./api";
import { Clock } from "./clock";
import type { Frame, Live } from "./live.svelte";
import { rankedBy } from "./past.svelte";
import { Scenes } from "./scenes.svelte";

const nothing = (): void => {};

/** What a board asks of a line, where nothing can be done any more. */
export function stillLine(): Live {
  const still = {
    ...{ status: "open", waits: false, sending: false, token: null, tries: 0, refused: null },
    ...{ frame: null, clock: new Clock(), scenes: new Scenes() },
    ...{ move: nothing, ask: nothing, hold: nothing, react: nothing, close: nothing },
  };
  return still as unknown as Live; // a board only sends, and nothing is sent here
}

/** The last position of a game, as everybody saw it. */
export function lastFrame(told: Replayed, table: string, number: number): Frame {
  const last = told.positions.at(-1);
  const scores = last?.scores ?? [];
  const winners = last?.winners ?? [];
  const frame = {
    ...{ seq: told.positions.length, seat: null, legal: {}, clocks: {}, log: [], news: [] },
    ...{ view: last?.view, to_move: [], scores, winners, ranking: rankedBy(scores, winners) },
    ...{ over: true, race: null, story: [], now: 0, table: tableOf(told, table, number) },
  };
  return frame as unknown as Frame;
}

function tableOf(told: Replayed, table: string, number: number): TableInfo {
  const seats = told.seats.map((name, seat): SeatInfo => ({
    ...{ name, bot: told.bots[seat] ?? null, relief: null, here: true, can_be_relieved: false },
    ...{ handicap: 0, lag: null, contribution: null, stand_in: null, sealed: null },
    ...{ opened: false, holds: false, takes_bots: false, late: false },
  }));
  return {
    ...{ table, game: told.game, phase: "over", seats, host: -1, options: told.options },
    ...{ speed: "relaxed", hints: false, commitment: "", games: number, watchers: 0 },
    ...{ lag_cap: null, opening: false, held_up: [], wishes: [] },
    ...{ public: false, seek: false, closed: false, cup: null, bots_at: null },
  };
}

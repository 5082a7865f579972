// A table for one person and bots, set and begun at once.

import { tableOf } from "../games";
import { api, type GameInfo } from "./api";
import { usualBot, usualSeats } from "./games.svelte";
import { keepSeat, prefs } from "./prefs.svelte";
import { route } from "./route.svelte";
import { seal, unseal } from "./sealing";

/** Play alone, against as many bots as usual unless it is said how many and how strong. */
export async function playAlone(
  info: GameInfo,
  others = usualSeats(info) - 1,
  level = usualBot(info),
): Promise<void> {
  const { game } = info;
  void tableOf(game); // it is there when the table is set
  const bots = Object.fromEntries(Array.from({ length: others }, (_, i) => [String(i + 1), level]));
  const name = prefs.called;
  const hints = !info.has.includes("race"); // nobody asks in a race
  const held = await api.open({ game, seats: others + 1, name, bots, hints });
  keepSeat(held.table, held);
  await seal(await api.table(held.table), held.seat, held.token);
  await unseal(await api.start(held.table, held.token), held.seat, held.token);
  route.go(`/t/${held.table}`);
}

import type { Table } from "..";
import Board from "./Board.svelte";
import Score from "./Score.svelte";
import { redraw } from "./fair";
import { ties } from "./ties";

export default {
  Board,
  Score,
  sounds: { told_last: "nibble", told_ahead: "nibble" },
  ties,
  redraw,
} satisfies Table;

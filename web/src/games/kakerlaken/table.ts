import type { Table } from "..";
import Board from "./Board.svelte";
import Score from "./Score.svelte";
import WarmUp from "./WarmUp.svelte";
import { redraw } from "./fair";

export default {
  Board,
  Score,
  WarmUp,
  sounds: {},
  hint: (options) => (options["young"] === true ? "hint_young" : "hint"),
  redraw,
} satisfies Table;

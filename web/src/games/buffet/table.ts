import type { Table } from "..";
import Bite from "./Bite.svelte";
import Board from "./Board.svelte";
import Score from "./Score.svelte";
import { redraw } from "./fair";
import { keys } from "./keys";
import { scenes } from "./scenes";
import { ties } from "./ties";

export default {
  Board,
  Bite,
  Score,
  // Cards that turn and mice that run are heard when they do: the stage plays them.
  sounds: {
    told_ahead: "nibble",
    told_hungry: "oops",
    told_last: "plate",
    told_level: "squeak",
  },
  scenes,
  keys,
  ties,
  redraw,
} satisfies Table;

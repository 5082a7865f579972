import type { Table } from "..";
import Bite from "./Bite.svelte";
import Board from "./Board.svelte";
import Score from "./Score.svelte";
import WarmUp from "./WarmUp.svelte";
import { redraw } from "./fair";
import { keys } from "./keys";
import { telling } from "./telling";

export default {
  Board,
  Bite,
  Score,
  WarmUp,
  sounds: {
    coin_for_owner: "coin",
    nobody_grabbed: "oops",
    nobody_right: "oops",
    other_erred: "coin",
    owner_erred: "oops",
    sixth_tile: "oops",
    tile_taken: "steal",
    tile_won: "plate",
    told_deal: "plate",
    told_give: "plate",
  },
  scenes: telling,
  keys,
  hint: (options) => (options["young"] === true ? "hint_young" : "hint"),
  redraw,
} satisfies Table;

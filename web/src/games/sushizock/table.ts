import type { Table } from "..";
import Board from "./Board.svelte";
import Score from "./Score.svelte";
import { redraw } from "./fair";
import { sounds } from "./sounds";

export default { Board, Score, sounds, redraw } satisfies Table;

import type { Table } from "../games";
import Board from "./Board.svelte";
import Score from "./Score.svelte";

export default { Board, Score, sounds: {} } satisfies Table;

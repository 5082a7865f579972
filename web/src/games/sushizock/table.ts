import type { Table } from "..";
import Bite from "./Bite.svelte";
import Board from "./Board.svelte";
import Score from "./Score.svelte";
import { counting } from "./count";
import { redraw } from "./fair";
import { keys } from "./keys";
import { scenes } from "./scenes";
import { sounds } from "./sounds";

export default { Board, Bite, Score, counting, sounds, scenes, keys, redraw } satisfies Table;

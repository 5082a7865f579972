import type { GameFolder } from "..";
import Cover from "./Cover.svelte";
import Patterns from "./Patterns.svelte";
import "./colours.css";

export default {
  order: 2,
  Cover,
  Patterns,
  pieces: () => import("./Pieces.svelte"),
  table: () => import("./table"),
} satisfies GameFolder;

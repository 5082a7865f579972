import type { GameFolder } from "..";
import Cover from "./Cover.svelte";
import "./colours.css";

export default {
  order: 1,
  Cover,
  pieces: () => import("./Pieces.svelte"),
  table: () => import("./table"),
} satisfies GameFolder;

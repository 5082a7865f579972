import type { GameFolder } from "..";
import Cover from "./Cover.svelte";
import "./colours.css";

export default { order: 1, Cover, table: () => import("./table") } satisfies GameFolder;

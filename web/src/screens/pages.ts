// The pages beside landing page and tables, each loaded when it is wanted: /me, /cup/NAME and so on.

import type { Component } from "svelte";

type Page = Component<{ rest: string[] }>;

export const pages: Record<string, () => Promise<{ default: Page }>> = {
  cup: () => import("./cup/Cup.svelte"),
  near: () => import("./Near.svelte"),
  device: () => import("./Device.svelte"),
  me: () => import("./Me.svelte"),
  boards: () => import("./Boards.svelte"),
  privacy: () => import("./Privacy.svelte"),
  figures: () => import("./MyFigures.svelte"),
  game: () => import("./SharedGame.svelte"),
  history: () => import("./History.svelte"),
};

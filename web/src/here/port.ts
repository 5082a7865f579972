// What the page and the worker say to each other; a call, a line and its frames travel as JSON text.

/** How far Python has come: bytes of it that are here, then what is being done. */
export type State =
  | { kind: "loading"; done: number; all: number }
  | { kind: "starting" }
  | { kind: "ready" }
  /** Another tab has the tables of this device; it may be asked for them. */
  | { kind: "elsewhere" }
  /** Another tab has taken them. */
  | { kind: "taken" }
  | { kind: "failed"; reason: string; broken: boolean };

/** The worker says how it is, or passes on what the core told. */
export type FromWorker =
  State | { kind: "told"; text: string } | { kind: "copy"; data: Uint8Array };
export type ToWorker =
  | { kind: "begin"; base: string; games: string[]; patient: boolean }
  | { kind: "take" }
  | { kind: "hear"; text: string }
  | { kind: "copy" }
  | { kind: "replace"; data: Uint8Array }
  | { kind: "forget" };

/** The parts of Python, as they lie beside the page. */
export interface Parts {
  version: string;
  lock: string;
  files: Record<string, number>;
}

/** Where a part is found. */
export const placeOf = (base: string, { version }: Parts, name: string) =>
  new URL(`python/${version}/${name}`, base).href;
/** The browser's own shelf for the parts of one version. */
export const shelfOf = ({ version }: Parts) => `tischlein-python-${version}`;

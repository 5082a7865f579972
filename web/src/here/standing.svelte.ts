// How the house of this device stands, known without loading it.

import { noteHere, notedHere } from "../lib/renew";
import { base } from "../lib/site";
import type { State } from "./port";

/** Says to the page that is loaded anew that it shall take the tables over. */
const taking = `tischlein.take ${base}`;

class Standing {
  now = $state.raw<State | { kind: "asleep" }>({ kind: "asleep" });
  /** Whether the server was out of reach when it was last needed: then one plays on this device. */
  alone = $state(false);
  /** How many calls and lines wait for it. */
  awaited = $state(0);
  /** Ask the tab that has the tables of this device for them. */
  take: () => void = () => {};

  /** Whether nothing will be answered any more in this page. */
  get isOver(): boolean {
    return this.now.kind === "failed" || this.now.kind === "taken";
  }
  /** Why not, as a text of the catalogue. */
  get why() {
    const { now } = this;
    return now.kind === "failed" ? (`here.${now.why}` as const) : ("here.taken" as const);
  }
  /** Begin anew; another tab gives the tables of this device away, if it has them. */
  again(): void {
    noteHere(taking, "1");
    location.reload();
  }
  /** Whether we shall take the tables over at once. */
  get takes(): boolean {
    const found = notedHere(taking) !== null;
    noteHere(taking, null);
    return found;
  }
}

export const standing = new Standing();

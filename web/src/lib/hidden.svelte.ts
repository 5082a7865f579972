// Names that somebody does not want to see: on this device another word stands in their place.

import { keep, load } from "./prefs.svelte";

/** So many are remembered; the oldest give way. */
const most = 200;

class Hidden {
  /** By table and seat: the name that is hidden there. Who sits there next is seen again. */
  private seats = $state.raw<Record<string, string>>(load("hiddenSeats", {}));
  /** Names of profiles, as boards show them. */
  private names = $state.raw<readonly string[]>(load("hiddenNames", []));

  at(table: string, seat: number, name: string | null | undefined): boolean {
    return !!name && this.seats[`${table}/${seat}`] === name;
  }
  hideAt(table: string, seat: number, name: string): void {
    const { [`${table}/${seat}`]: _, ...others } = this.seats;
    const all = Object.entries({ ...others, [`${table}/${seat}`]: name });
    this.seats = Object.fromEntries(all.slice(-most));
    keep("hiddenSeats", this.seats);
  }
  showAt(table: string, seat: number): void {
    const { [`${table}/${seat}`]: _, ...others } = this.seats;
    this.seats = others;
    keep("hiddenSeats", this.seats);
  }
  /** Whether the name of a profile is hidden on boards. */
  has(name: string): boolean {
    return this.names.includes(name);
  }
  hide(name: string): void {
    this.names = [...this.names.filter((other) => other !== name), name].slice(-most);
    keep("hiddenNames", this.names);
  }
  show(name: string): void {
    this.names = this.names.filter((other) => other !== name);
    keep("hiddenNames", this.names);
  }
  /** Take in what another tab has hidden. */
  again(): void {
    this.seats = load("hiddenSeats", {});
    this.names = load("hiddenNames", []);
  }
}

export const hidden = new Hidden();

globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (key?.startsWith("tischlein.hidden")) hidden.again();
});

// Names that somebody does not want to see: on this device another word stands in their place.

import { keep, load } from "./prefs.svelte";

/** So many are remembered; the oldest give way. */
const most = 200;

class Hidden {
  /** By table and seat: the name that is hidden there. Who sits there next is seen again. */
  private seats = $state.raw<Record<string, string>>(load("hiddenSeats", {}));
  /** Names of profiles, as boards show them. */
  private names = $state.raw<readonly string[]>(load("hiddenNames", []));

  /** Names in tournaments, as `CUP/NAME`: nobody there is called like another. */
  private inCups = $state.raw<readonly string[]>(load("hiddenInCups", []));
  /** To which tournament a table belongs: lists of tables do not tell it. */
  private cupOf = $state.raw<Record<string, string>>(load("hiddenCupOf", {}));

  /** Whether a name is hidden at a table: there, or in the whole tournament that it belongs to. */
  at(
    table: string,
    seat: number,
    name: string | null | undefined,
    cup: string | null | undefined = this.cupOf[table],
  ): boolean {
    if (!name) return false;
    return this.seats[`${table}/${seat}`] === name || (!!cup && this.in(cup, name));
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
  in(cup: string, name: string): boolean {
    return this.inCups.includes(`${cup}/${name}`);
  }
  hideIn(cup: string, name: string): void {
    const entry = `${cup}/${name}`;
    this.inCups = [...this.inCups.filter((other) => other !== entry), entry].slice(-most);
    keep("hiddenInCups", this.inCups);
  }
  showIn(cup: string, name: string): void {
    this.inCups = this.inCups.filter((other) => other !== `${cup}/${name}`);
    keep("hiddenInCups", this.inCups);
  }
  /** Remember which tables belong to a tournament. */
  learn(cup: string, tables: readonly string[]): void {
    const fresh = tables.filter((table) => this.cupOf[table] !== cup);
    if (!fresh.length) return;
    const all = [...Object.entries(this.cupOf), ...fresh.map((table) => [table, cup] as const)];
    this.cupOf = Object.fromEntries(all.slice(-most));
    keep("hiddenCupOf", this.cupOf);
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
    this.inCups = load("hiddenInCups", []);
    this.cupOf = load("hiddenCupOf", {});
  }
}

export const hidden = new Hidden();

globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (key?.startsWith("tischlein.hidden")) hidden.again();
});

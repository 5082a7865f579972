// A tournament as this device sees it: asked for again and again while somebody looks.

import type { CupHeld, CupInfo, CupTable, Held, OpenCup } from "../wire/frames";
import { call, Problem } from "./api";
import { forgetPlace, keepPlace, keepSeat, placesIn, seatsAt, type CupPlace } from "./prefs.svelte";
import { route } from "./route.svelte";

const often = 2500; // ms between two looks

const at = (cup: string, what = "") => `/api/cups/${encodeURIComponent(cup)}${what}`;

/** Open a tournament, and keep the place of its host. */
export async function openCup(wanted: OpenCup): Promise<string> {
  const held = await call<CupHeld>("/api/cups", wanted);
  keepPlace(held.cup, held);
  return held.cup;
}

/** A tournament as it stands now; one that is gone is forgotten. */
export async function lookAt(cup: string): Promise<CupInfo[]> {
  try {
    return [await call<CupInfo>(at(cup))];
  } catch (error) {
    if (error instanceof Problem && error.status === 404)
      for (const { token } of placesIn(cup)) forgetPlace(cup, token);
    return [];
  }
}

/** A table of this round at which this device has people. */
export interface Mine {
  table: CupTable;
  places: CupPlace[];
}

export class Cup {
  info = $state.raw<CupInfo | null>(null);
  gone = $state(false);
  away = $state(false);
  places = $state.raw<CupPlace[]>([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private readonly seen = () => document.hidden || void this.look();

  constructor(readonly name: string) {
    this.places = placesIn(name);
    document.addEventListener("visibilitychange", this.seen);
    void this.look();
  }
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.seen);
  }

  async look(): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.info = await call<CupInfo>(at(this.name));
      this.away = false;
    } catch (error) {
      this.gone = error instanceof Problem && error.status === 404;
      this.away = !this.gone;
    }
    clearTimeout(this.timer);
    if (!this.closed && !this.gone && !document.hidden)
      this.timer = setTimeout(() => void this.look(), often);
  }

  /** What somebody is called, by their number. */
  nameOf = (member: number): string => this.info?.members[member]?.name ?? "";
  isMine = (member: number): boolean =>
    this.places.some(({ name }) => name === this.nameOf(member));
  get isHost(): boolean {
    return this.info !== null && this.isMine(this.info.host);
  }
  /** The tables of this round. */
  get tables(): CupTable[] {
    return this.info?.rounds[this.info.round] ?? [];
  }
  /** The tables of this round at which this device plays. */
  get mine(): Mine[] {
    return this.tables.flatMap((table) => {
      const places = this.places.filter(({ name }) =>
        table.people.some((member) => this.nameOf(member) === name),
      );
      return places.length ? [{ table, places }] : [];
    });
  }

  async join(nickname: string): Promise<void> {
    const held = await call<CupHeld>(at(this.name, "/join"), { nickname });
    keepPlace(this.name, held);
    this.places = placesIn(this.name);
    await this.look();
  }
  start = () => this.asHost("/start", {});
  begin = (table: string, token?: string) => this.asHost("/begin", { table }, token);
  skip = (table: string) => this.asHost("/skip", { table });

  async leave({ token }: CupPlace): Promise<void> {
    this.info = await call<CupInfo>(at(this.name, "/leave"), {}, token);
    forgetPlace(this.name, token);
    this.places = placesIn(this.name);
  }
  /** Sit down at one's table: one seat for each of this device. */
  async play({ table, places }: Mine): Promise<void> {
    const name = table.table ?? "";
    if (!seatsAt(name).length)
      for (const { token } of places) {
        const held = await call<Held>(at(this.name, "/seat"), {}, token);
        keepSeat(held.table, held);
      }
    route.go(`/t/${name}`);
  }

  private async asHost(what: string, body: unknown, token?: string): Promise<void> {
    const host = this.places.find(({ name }) => name === this.nameOf(this.info?.host ?? -1));
    this.info = await call<CupInfo>(at(this.name, what), body, token ?? host?.token);
  }
}

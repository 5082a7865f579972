// A tournament as this device sees it: asked for again and again while somebody looks.

import type { CupHeld, CupInfo, CupSelf, CupTable, Held, OpenCup } from "../wire/frames";
import { call, Problem } from "./api";
import { hidden } from "./hidden.svelte";
import { inCup, type Named } from "./hiding";
import {
  forgetPlace,
  keepPlace,
  keepSeat,
  placesIn,
  renamePlace,
  seatsAt,
  type CupPlace,
} from "./prefs.svelte";
import { route } from "./route.svelte";
import { say } from "./words";

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

/** What a tournament is called here: of one whose title was taken away the server says it in English. */
export const titled = ({ title }: CupInfo): string =>
  title === "Tournament" ? say("cup.link") : title;

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
      const info = await call<CupInfo>(at(this.name));
      await this.findAgain(info);
      this.info = info;
      this.away = false;
      this.learn(info);
    } catch (error) {
      this.gone = error instanceof Problem && error.status === 404;
      this.away = !this.gone;
    }
    clearTimeout(this.timer);
    if (!this.closed && !this.gone && !document.hidden)
      this.timer = setTimeout(() => void this.look(), often);
  }

  /** Whoever runs the house may have taken a name of ours away: ask what we are called now. */
  private async findAgain({ members }: CupInfo): Promise<void> {
    const lost = this.places.filter((place) => members.every(({ name }) => name !== place.name));
    for (const { token } of lost) {
      try {
        const { name } = await call<CupSelf>(at(this.name, "/me"), {}, token);
        renamePlace(this.name, token, name);
      } catch (error) {
        if (error instanceof Problem && error.status === 403) forgetPlace(this.name, token);
      }
    }
    if (lost.length) this.places = placesIn(this.name);
  }
  /** Lists of our tables hide those whom we have hidden here. */
  private learn({ rounds }: CupInfo): void {
    const own = rounds.flat().filter(({ people }) => people.some(this.isMine));
    hidden.learn(
      this.name,
      own.flatMap(({ table }) => table ?? []),
    );
  }

  /** What somebody is called over the wire. */
  private wireName = (member: number): string => this.info?.members[member]?.name ?? "";
  /** Somebody by their number, whose name can be hidden. */
  who = (member: number): Named => inCup(this.name, member, this.wireName(member));
  /** What somebody is called here, by their number. */
  nameOf = (member: number): string => this.who(member).called;
  isMine = (member: number): boolean =>
    this.places.some(({ name }) => name === this.wireName(member));
  /** What somebody of this device is called here. */
  nameAt = ({ name }: CupPlace): string =>
    this.nameOf(this.info?.members.findIndex((member) => member.name === name) ?? -1);
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
        table.people.some((member) => this.wireName(member) === name),
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
    const host = this.places.find(({ name }) => name === this.wireName(this.info?.host ?? -1));
    this.info = await call<CupInfo>(at(this.name, what), body, token ?? host?.token);
  }
}

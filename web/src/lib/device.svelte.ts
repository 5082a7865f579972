// The seats that this device holds at a table: one line for each, and with several seats one more
// that sees only what everybody may see, for the moments when the device goes from hand to hand.

import type { Table } from "../games";
import { api } from "./api";
import { games } from "./games.svelte";
import { Live, type Frame } from "./live.svelte";
import { forgetSeat, keepSeat, prefs, seatsAt } from "./prefs.svelte";
import { tend } from "./sealing";

/** Whether players hide something from each other, so that one device needs a curtain. */
export const isSecret = ({ table }: Frame) => games.has(table.game, "secrets", table.options);

export const mayMove = (frame: Frame | null | undefined) =>
  !!frame && frame.seat !== null && !!frame.legal[String(frame.seat)];

/** Whether somebody has decided; in a race that goes without its clock a deed may have two halves. */
const isDone = (frame: Frame) => {
  const own = frame.log.filter((move) => move.by === frame.seat).length;
  const half = games.has(frame.table.game, "race") && own === frame.log.length && mayMove(frame);
  return own > 0 && !half;
};

export class Device {
  lives = $state.raw<Live[]>([]);
  /** What the game is drawn and heard with, as soon as it is there. */
  parts = $state.raw<Table | null>(null);
  private open = $state.raw<Live | null>(null);
  private looking = $state.raw<Live | null>(null);
  private turn = $state.raw<Live | null>(null);

  constructor(
    readonly table: string,
    readonly watch: boolean,
  ) {
    if (watch) this.add(null);
    else for (const seat of seatsAt(table)) this.add(seat.token);
  }

  get hot(): boolean {
    return this.lives.length > 1;
  }
  /** The seats of this device. */
  get seats(): number[] {
    return this.lives.flatMap((live) => live.frame?.seat ?? []);
  }
  /** The seat that may start and set the table again, if it is here. */
  get own(): Live | undefined {
    const host = this.lives.find((live) => live.frame?.seat === live.frame?.table.host);
    return host ?? this.lives[0];
  }
  /** Who is to move on this device and does not look yet. */
  get next(): Live | undefined {
    return this.looking ? undefined : this.lives.find((live) => mayMove(live.scenes.shown));
  }
  /** The line whose view is shown now. */
  get shown(): Live | undefined {
    const frame = this.own?.scenes.shown;
    if (!this.hot || !frame || frame.table.phase === "open") return this.own;
    if (frame.over) return this.open ?? this.own;
    if (isSecret(frame)) return this.looking ?? this.open ?? undefined;
    return this.turn ?? this.own;
  }
  /** The line that tells: the only one, or the one that sees no secrets. */
  get teller(): Live | undefined {
    return this.open ?? this.own;
  }
  /** Somebody has seen enough of what is shown. */
  goOn = (): void => {
    for (const live of [...this.lives, this.open]) live?.scenes.goOn();
  };
  /** Show at once how things stand. */
  catchUp = (): void => {
    for (const live of [...this.lives, this.open]) live?.scenes.catchUp();
  };
  /** Somebody has the device in hand and looks. */
  look(live: Live): void {
    this.looking = live;
  }

  async sit(name: string): Promise<void> {
    const held = await api.sit(this.table, name);
    keepSeat(this.table, held);
    this.add(held.token);
  }
  /** Get a seat that is one's own, and was taken with another device; false if there is none. */
  async fetch(): Promise<boolean> {
    if (!prefs.login || this.watch) return false;
    try {
      const held = await api.key(this.table);
      keepSeat(this.table, held);
      this.add(held.token);
      return true;
    } catch {
      return false;
    }
  }
  async getUp(live: Live): Promise<void> {
    if (live.token) await api.leave(this.table, live.token);
    this.remove(live);
  }
  /** Forget a seat that is not ours any more. */
  remove(live: Live): void {
    live.close();
    if (live.token) forgetSeat(this.table, live.token);
    this.lives = this.lives.filter((other) => other !== live);
    if (this.looking === live) this.looking = null;
    if (this.turn === live) this.turn = null;
    this.listen();
  }
  close(): void {
    for (const live of [...this.lives, this.open]) live?.close();
  }

  private add(token: string | null): void {
    this.lives = [...this.lives, new Live(this.table, token)];
    this.listen();
  }
  private listen(): void {
    if (this.hot) this.open ??= new Live(this.table, null);
    else {
      this.open?.close();
      this.open = null;
    }
    for (const live of [...this.lives, this.open]) {
      if (!live) continue;
      live.scenes.parts = () => this.parts;
      live.scenes.loud = live === this.teller;
      live.scenes.shared = this.hot;
    }
    for (const live of this.lives)
      live.heard = (frame) => {
        void tend(live);
        if (live === this.looking && (frame.over || isDone(frame))) this.looking = null;
        if (mayMove(frame)) this.turn = live;
      };
  }
}

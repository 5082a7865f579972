// The line to a table: what is so now, what was refused, and how to move.

import type { Pong, React, Reaction, RefusedFrame, StateFrame, ToldFrame } from "../wire/frames";
import { Clock } from "./clock";
import type { News } from "./news";
import { raceOf } from "./race.svelte";
import { lineTo, type Line } from "./reach";
import { Scenes } from "./scenes.svelte";

export type Seen = { by: number | "nature"; do: string | null } & Record<string, unknown>;
/** What somebody is told of the table: `news` since the last frame, or the whole `story` anew. */
export type Frame = Omit<StateFrame, "log" | "news" | "story" | "steps"> & {
  log: Seen[];
  news: News[];
  story: News[] | null;
  /** The moves that tell something, one by one, each with what is seen after it. */
  steps?: { move: Seen; view: unknown; to_move: StateFrame["to_move"]; news: News[] }[];
  /** What is being told while this is shown; with nothing told, the player may decide. */
  scene?: Scene | null;
};
/** One move of the story: `lead` while the table is still as it was before it. */
export interface Scene {
  move: Seen;
  lead: boolean;
  /** For how long it is shown here. */
  ms?: number;
  /** It goes on when the player lets it. */
  asks?: boolean;
}
export type Status = "connecting" | "open" | "lost" | "gone" | "stranger" | "removed";
export type Refused = Pick<RefusedFrame, "code" | "reason" | "fields">;
export type Mood = Reaction["with"];
type Incoming = ({ type: "state" } & Frame) | RefusedFrame | ToldFrame | Pong | Reaction;

/** Why the server closed a line: it will not open again by itself. */
const closings: Partial<Record<number, Status>> = { 4401: "stranger", 4404: "gone" };

const patience = [300, 700, 1500, 3000, 5000];
/** What a browser says when a device comes to another network; it may still reach us, next door. */
const networks = ["online", "offline"];
/** How often the server is asked whether it still hears us, in ms. */
const rhythm = 2500;
/** A line of which nothing is heard for so long, although it was asked, is dead. */
const silence = 5000;
/** One that is asked because the device has changed its network answers sooner, or is dead. */
const doubt = 2000;
/** So long a line may take to open. */
const opening = 10_000;
/** After so long one is told that a move is still on its way. */
const slow = 400;

export class Live {
  frame = $state.raw<Frame | null>(null);
  status = $state<Status>("connecting");
  tries = $state(0);
  refused = $state.raw<Refused | null>(null);
  readonly clock = new Clock();
  /** What is shown of all this, one event after another. */
  readonly scenes = new Scenes();
  /** Is told of every frame. */
  heard: (frame: Frame) => void = () => {};
  /** Is shown how somebody at the table feels. */
  reacted: (seat: number, mood: Mood) => void = () => {};

  private socket: Line | null = null;
  private closed = false;
  private count = 0;
  /** A move that nobody has answered yet: after a broken line it is sent again, under the same id. */
  private unanswered = $state.raw<{ frame: { id: string }; game: number | undefined } | null>(null);
  private late = $state("");
  /** Why the table is to wait for us: first of all until it is drawn. */
  private readonly holds = new Set<string>();
  private heardAt = 0;
  private watching: ReturnType<typeof setTimeout> | undefined;
  /** Pings whose answers are to be echoed. */
  private readonly asked = new Set<number>();
  private readonly id = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) =>
    n.toString(36),
  ).join("");
  private timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(
    readonly table: string,
    readonly token: string | null,
  ) {
    if (token) this.holds.add("start");
    this.scenes.plays = (busy) => this.hold("scenes", busy);
    this.connect();
    for (const change of networks) globalThis.addEventListener?.(change, this.makeSure);
    globalThis.document?.addEventListener?.("visibilitychange", this.lookAgain);
  }

  /** Whether a move is on its way. */
  get waits(): boolean {
    return this.unanswered !== null;
  }
  /** Whether it has been for so long that one would like to know. */
  get sending(): boolean {
    return this.unanswered !== null && this.unanswered.frame.id === this.late;
  }

  private connect(): void {
    const line = lineTo(this.table);
    if (!(line instanceof Promise)) this.serve(line);
    else void line.then((found) => (this.closed ? found.close() : this.serve(found)));
  }

  private serve(socket: Line): void {
    this.socket = socket;
    this.watch(socket, opening);
    socket.onopen = () => {
      const known = this.frame && { seq: this.frame.seq, game: this.frame.table.games };
      socket.send(
        JSON.stringify({
          type: "hello",
          steps: true,
          pings: true,
          reactions: true,
          ...(this.holds.size && { hold: true }),
          ...known,
          ...(this.token && { token: this.token }),
        }),
      );
      this.asked.clear();
      if (this.unanswered && this.unanswered.game === this.frame?.table.games)
        this.send(this.unanswered.frame);
      for (const wait of [0, 120, 240, 360, 480]) this.later(wait, () => this.ping(socket));
      this.later(rhythm, () => this.keepPinging(socket));
      this.heardAt = performance.now();
      this.watch(socket);
    };
    socket.onmessage = (event: { data: unknown }) => {
      this.heardAt = performance.now();
      this.hear(JSON.parse(String(event.data)) as Incoming);
    };
    socket.onclose = (event: { code: number }) => this.lost(socket, event);
  }

  private hear(message: Incoming): void {
    if (message.type === "pong") {
      this.clock.add(message.t0, message.t1, performance.now());
      // At once, so that the server measures the line and not our patience; its answer ends it.
      if (this.asked.delete(message.t0))
        this.send({ type: "ping", t0: performance.now(), echo: message.t1 });
      return;
    }
    if (message.type === "reaction") {
      this.reacted(message.seat, message.with);
      return;
    }
    if (message.type === "refused") {
      if (message.id === "react") return; // others have seen enough of it
      if (message.id === this.unanswered?.frame.id) this.unanswered = null;
      if (message.code === "removed") this.leave("removed");
      else if (message.code !== "goodbye") this.refused = message;
      return;
    }
    if (message.type === "told") {
      if (!message.legal) this.refused = { fields: {}, code: "", reason: "", ...message };
      return;
    }
    const before = this.frame;
    const { steps: _, ...frame } = message; // shown once, then forgotten: what is covered later must be
    this.frame = frame;
    this.status = "open";
    this.tries = 0;
    const other = this.unanswered && this.unanswered.game !== message.table.games;
    if (other || message.log.some((move) => move.by === message.seat)) this.unanswered = null;
    const me = String(message.seat);
    // Told until something new may be done, not until the next frame: lines are told amid a race.
    const race = raceOf(message);
    const another = race !== null && race !== raceOf(before);
    if (another || (message.legal[me] && !before?.legal[me])) this.refused = null;
    this.scenes.hear(message);
    this.heard(frame);
  }

  private lost(socket: Line, event: { code: number }): void {
    if (this.closed || socket !== this.socket) return;
    clearTimeout(this.watching);
    const why = closings[event.code];
    if (why) this.status = why;
    else {
      this.status = "lost";
      this.tries += 1;
      const wait = patience[Math.min(this.tries, patience.length) - 1] ?? 5000;
      this.later(wait, () => this.socket === socket && this.connect());
    }
  }

  /** Give a line up of which nothing is heard: a browser may take minutes to notice. */
  private giveUp(socket: Line): void {
    if (socket !== this.socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.lost(socket, { code: 0 });
  }

  /** See to it that a line is heard of; a page that stood still itself looks twice. */
  private watch(socket: Line, wait = silence, twice = false): void {
    clearTimeout(this.watching);
    if ("steady" in socket && socket.steady) return; // a line inside of this device does not die unheard
    this.watching = setTimeout(() => {
      if (this.closed || socket !== this.socket) return;
      const now = performance.now();
      const [oldest = now] = this.asked;
      const opens = socket.readyState !== WebSocket.OPEN;
      const heard = now - this.heardAt;
      const dead = opens || (heard >= wait - 50 && now - oldest >= Math.min(wait, doubt) - 50);
      if (dead && twice) this.giveUp(socket);
      else if (dead) this.watch(socket, 200, true);
      else this.watch(socket, Math.max(200, silence - heard));
    }, wait);
  }

  /** The device has come to another network: is the line still there? */
  private readonly makeSure = (): void => {
    const state = this.socket?.readyState ?? 0;
    if (state > WebSocket.OPEN && this.status === "lost") this.connect();
    if (!this.socket || state !== WebSocket.OPEN) return;
    this.ping(this.socket);
    this.watch(this.socket, doubt);
  };

  private readonly lookAgain = (): void => {
    if (!document.hidden) this.makeSure();
  };

  /** Send a move, with the race it is meant for if there is one; a frame or a refusal comes back. */
  move(move: object): void {
    this.refused = null;
    this.count += 1;
    const race = raceOf(this.frame);
    const meant = race === null ? {} : { race };
    const frame = { type: "move", id: `${this.id}-${this.count}`, move, ...meant };
    this.unanswered = { frame, game: this.frame?.table.games };
    this.send(frame);
    this.later(slow, () => (this.late = frame.id));
  }

  /** Let bots and the next roll wait for us, for a reason, or no longer. */
  hold(why: string, on: boolean): void {
    const before = this.holds.size > 0;
    if (on) this.holds.add(why);
    else this.holds.delete(why);
    const now = this.holds.size > 0;
    if (now !== before) this.send({ type: "hold", on: now });
  }

  /** Show everybody how one feels, or that one wants to play again. */
  react(mood: React["with"]): void {
    this.send({ type: "react", with: mood, id: "react" });
  }

  /** May I, and why not? Nothing is played; what speaks against it lands where refusals do. */
  ask(move: object): void {
    this.refused = null;
    this.count += 1;
    this.send({ type: "ask", id: `${this.id}-${this.count}`, move });
  }

  private keepPinging(socket: Line): void {
    if (this.closed || socket !== this.socket) return;
    // A page that nobody looks at is silent, so that all know: timers of such a page are not its own.
    if (!globalThis.document?.hidden) this.ping(socket);
    this.later(rhythm, () => this.keepPinging(socket));
  }

  private ping(socket: Line): void {
    if (socket !== this.socket) return;
    const t0 = performance.now();
    this.asked.add(t0);
    this.send({ type: "ping", t0 });
  }

  private send(frame: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private later(wait: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.closed) then();
    }, wait);
    this.timers.add(timer);
  }

  private leave(why: Status): void {
    this.status = why;
    this.close();
  }

  close(): void {
    this.closed = true;
    this.timers.forEach(clearTimeout);
    clearTimeout(this.watching);
    for (const change of networks) globalThis.removeEventListener?.(change, this.makeSure);
    globalThis.document?.removeEventListener?.("visibilitychange", this.lookAgain);
    this.scenes.close();
    this.socket?.close();
  }
}

// The line to a table: what is so now, what was refused, and how to move.

import type { Pong, RefusedFrame, StateFrame, ToldFrame } from "../wire/frames";
import { Clock } from "./clock";
import type { News } from "./news";

export type Seen = { by: number | "nature"; do: string | null } & Record<string, unknown>;
/** What somebody is told of the table: `news` since the last frame, or the whole `story` anew. */
export type Frame = Omit<StateFrame, "log" | "news" | "story"> & {
  log: Seen[];
  news: News[];
  story: News[] | null;
};
export type Status = "connecting" | "open" | "lost" | "gone" | "stranger" | "removed";
export type Refused = Pick<RefusedFrame, "code" | "reason" | "fields">;
type Incoming = ({ type: "state" } & Frame) | RefusedFrame | ToldFrame | Pong;

/** Why the server closed a line: it will not open again by itself. */
const closings: Partial<Record<number, Status>> = { 4401: "stranger", 4404: "gone" };

const patience = [300, 700, 1500, 3000, 5000];

export class Live {
  frame = $state.raw<Frame | null>(null);
  status = $state<Status>("connecting");
  tries = $state(0);
  refused = $state.raw<Refused | null>(null);
  readonly clock = new Clock();
  /** Is told of every frame and the one before it, for stories and sounds. */
  heard: (frame: Frame, before: Frame | null) => void = () => {};

  private socket: WebSocket | null = null;
  private closed = false;
  private count = 0;
  /** A move that nobody has answered yet: after a broken line it is sent again, under the same id. */
  private unanswered = $state.raw<{ frame: { id: string }; game: number | undefined } | null>(null);
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
    this.connect();
  }

  /** Whether a move is on its way. */
  get waits(): boolean {
    return this.unanswered !== null;
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const where = `${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live`;
    const socket = new WebSocket(where);
    this.socket = socket;
    socket.onopen = () => {
      const known = this.frame && { seq: this.frame.seq, game: this.frame.table.games };
      socket.send(
        JSON.stringify({ type: "hello", ...known, ...(this.token && { token: this.token }) }),
      );
      this.asked.clear();
      if (this.unanswered && this.unanswered.game === this.frame?.table.games)
        this.send(this.unanswered.frame);
      for (const wait of [0, 120, 240, 360, 480]) this.later(wait, () => this.ping(socket));
      this.later(5000, () => this.keepPinging(socket));
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Incoming);
    socket.onclose = (event) => this.lost(socket, event);
  }

  private hear(message: Incoming): void {
    if (message.type === "pong") {
      this.clock.add(message.t0, message.t1, performance.now());
      // At once, so that the server measures the line and not our patience; its answer ends it.
      if (this.asked.delete(message.t0))
        this.send({ type: "ping", t0: performance.now(), echo: message.t1 });
      return;
    }
    if (message.type === "refused") {
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
    this.frame = message;
    this.status = "open";
    this.tries = 0;
    const other = this.unanswered && this.unanswered.game !== message.table.games;
    if (other || message.log.some((move) => move.by === message.seat)) this.unanswered = null;
    const me = String(message.seat);
    // Told until something new may be done, not until the next frame: lines are told amid a race.
    const race = message.race?.["show_at"];
    const another = typeof race === "number" && race !== before?.race?.["show_at"];
    if (another || (message.legal[me] && !before?.legal[me])) this.refused = null;
    this.heard(message, before);
  }

  private lost(socket: WebSocket, event: CloseEvent): void {
    if (this.closed || socket !== this.socket) return;
    const why = closings[event.code];
    if (why) this.status = why;
    else {
      this.status = "lost";
      this.tries += 1;
      this.later(patience[Math.min(this.tries, patience.length) - 1] ?? 5000, () => this.connect());
    }
  }

  /** Send a move, with the race it is meant for if there is one; a frame or a refusal comes back. */
  move(move: object, race: unknown = this.frame?.race?.["show_at"]): void {
    this.refused = null;
    this.count += 1;
    const meant = typeof race === "number" ? { race } : {};
    const frame = { type: "move", id: `${this.id}-${this.count}`, move, ...meant };
    this.unanswered = { frame, game: this.frame?.table.games };
    this.send(frame);
  }

  /** May I, and why not? Nothing is played; what speaks against it lands where refusals do. */
  ask(move: object): void {
    this.refused = null;
    this.count += 1;
    this.send({ type: "ask", id: `${this.id}-${this.count}`, move });
  }

  private keepPinging(socket: WebSocket): void {
    if (this.closed || socket !== this.socket) return;
    this.ping(socket);
    this.later(2500, () => this.keepPinging(socket));
  }

  private ping(socket: WebSocket): void {
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
    this.socket?.close();
  }
}

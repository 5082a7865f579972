// Other phones at a table of this one. What they send is a stranger's until it has come through this
// door: they ask about one table, no more than people can, and nothing else of this device.

import type { Line } from "../here/calls";
import { here } from "../here/here.svelte";
import type { Peer } from "./peer";

/** So many calls and lines a guest has at once, and so many texts a second, or in a rush. */
const [mostCalls, mostLines, rate, rush] = [8, 16, 40, 240];

/** So many brackets stand around anything that a page says, at most. */
const deepest = 40;

const json = { "content-type": "application/json" };

interface Asked {
  id?: number;
  method?: string;
  path?: string;
  headers?: Record<string, unknown>;
  body?: unknown;
  line?: number;
  text?: unknown;
  close?: unknown;
}

const deeds = new RegExp(
  "^(|/(seats|bots|handicap|starter|start|relief|stand-in|remove|contribution|rematch|leave|record)" +
    "|/(replay|coach|hint)\\?[\\w=&]+)$",
);

/** Whether a guest of a table may ask for something. */
export function mayAsk(table: string, method: string, path: string): boolean {
  if (method !== "GET" && method !== "POST") return false;
  const [own, what, ...more] = path.split(`/api/tables/${table}`);
  return own === "" && what !== undefined && !more.length && deeds.test(what);
}

/**
 * Whether Python can read a text: one with half a sign is none to it, and one that is too deep would end
 * it, and with it all tables of this phone.
 */
export function isReadable(text: unknown): text is string {
  if (typeof text !== "string" || /\p{Surrogate}/u.test(text)) return false;
  let [depth, quoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quoted && sign === "\\") at++;
    else if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    if (depth > deepest) return false;
  }
  return true;
}

/** Counts what somebody does; time gives it back. */
class Pace {
  private left = rush;
  private at = performance.now();
  take(): boolean {
    const now = performance.now();
    this.left = Math.min(rush, this.left + ((now - this.at) / 1000) * rate);
    this.at = now;
    this.left -= 1;
    return this.left >= 0;
  }
}

/** One other phone. */
export class Guest {
  private readonly lines = new Map<number, Line>();
  private readonly pace = new Pace();
  private calls = 0;

  constructor(
    private readonly table: string,
    private readonly peer: Peer,
    private readonly house: Pick<typeof here, "fetch" | "line"> = here,
  ) {
    peer.heard = (text) => {
      if (!this.pace.take() || !this.hear(text)) peer.end();
    };
  }
  /** Their phone is gone: so are their lines. */
  leave(): void {
    for (const line of this.lines.values()) line.close();
    this.lines.clear();
  }

  /** Do what they ask; false if nobody asks so. */
  private hear(text: string): boolean {
    let asked: Asked;
    try {
      asked = Object(JSON.parse(text)) as Asked;
    } catch {
      return false;
    }
    if (typeof asked.id === "number") return this.answer(asked.id, asked);
    if (typeof asked.line !== "number") return false;
    const line = this.lines.get(asked.line);
    if (asked.close) {
      line?.close();
      this.lines.delete(asked.line);
    } else if (isReadable(asked.text)) line?.send(asked.text);
    else return !line && this.open(asked.line, asked.path);
    return true;
  }
  private answer(id: number, { method = "GET", path, headers, body = "" }: Asked): boolean {
    if (typeof path !== "string" || !isReadable(body)) return false;
    const busy = this.calls >= mostCalls;
    if (busy || !mayAsk(this.table, method, path)) {
      this.tell({ id, status: busy ? 429 : 404, headers: json, body: "{}" });
      return true;
    }
    const said = headers?.["authorization"];
    const told = {
      ...json,
      ...(typeof said === "string" && /^[\x20-\x7e]{0,200}$/.test(said) && { authorization: said }),
    };
    const init = { method, headers: told, ...(method === "POST" && { body }) };
    this.calls += 1;
    void this.house
      .fetch(path, init)
      .then(async (found) => ({ status: found.status, body: await found.text() }))
      .catch(() => ({ status: 503, body: "" }))
      .then((found) => {
        this.calls -= 1;
        this.tell({ id, headers: json, ...found });
      });
    return true;
  }
  private open(number: number, path: unknown): boolean {
    if (path !== `/api/tables/${this.table}/live` || this.lines.size >= mostLines) return false;
    const line = this.house.line(path);
    this.lines.set(number, line);
    line.onopen = () => this.tell({ line: number, open: true });
    line.onmessage = ({ data }) => this.tell({ line: number, text: String(data) });
    line.onclose = ({ code }) => {
      this.lines.delete(number);
      this.tell({ line: number, close: code });
    };
    return true;
  }
  private tell(message: object): void {
    this.peer.send(JSON.stringify(message));
  }
}

class Guests {
  /** How many other phones are at each table. */
  readonly at = $state<Record<string, number>>({});
  private lock: WakeLockSentinel | undefined;

  constructor() {
    // A browser lets the phone sleep again whenever the page is hidden.
    globalThis.document?.addEventListener?.("visibilitychange", () => void this.look());
  }

  welcome(table: string, peer: Peer): void {
    const guest = new Guest(table, peer);
    this.count(table, 1);
    peer.ended = () => {
      guest.leave();
      this.count(table, -1);
    };
  }
  private count(table: string, more: number): void {
    this.at[table] = (this.at[table] ?? 0) + more;
    void this.look();
  }
  private get some(): boolean {
    return Object.values(this.at).some((count) => count > 0);
  }
  /** A phone that sleeps keeps no table for others; when they are gone it may sleep. */
  private async look(): Promise<void> {
    const awake = this.some && !document.hidden;
    const lock = awake
      ? await navigator.wakeLock?.request("screen").catch(() => undefined)
      : undefined;
    const before = this.lock;
    this.lock = lock;
    await before?.release();
    if (!this.some) await lock?.release(); // they have left meanwhile
  }
}

export const guests = new Guests();

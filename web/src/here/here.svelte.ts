// The house of this device, as the page sees it: calls and lines that need no server.

import { base } from "../lib/site";
import type { FromWorker, State, ToWorker } from "./port";

interface Told {
  id?: number;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  line?: number;
  open?: boolean;
  text?: string;
  close?: number;
  reason?: string;
}

/** A line to a table of this device; to its user it is a WebSocket. */
export class Line {
  /** Nothing can cut it unheard. */
  readonly steady = true;
  readyState: number = WebSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(
    private readonly number: number,
    private readonly say: (message: object) => void,
  ) {}
  send(text: string): void {
    this.say({ line: this.number, text });
  }
  close(): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    this.readyState = WebSocket.CLOSED;
    this.say({ line: this.number, close: true });
  }
  hear(told: Told): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    if (told.open) {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    } else if (told.text !== undefined) this.onmessage?.({ data: told.text });
    else if (told.close !== undefined) this.end(told.close);
  }
  end(code: number): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code });
  }
}

class Here {
  state = $state.raw<State | { kind: "asleep" }>({ kind: "asleep" });
  private worker: Worker | null = null;
  private count = 0;
  private readonly calls = new Map<number, (told: Told) => void>();
  private readonly lines = new Map<number, Line>();
  private copied: ((data: Uint8Array) => void) | null = null;

  /** Let Python come, once; what is asked meanwhile waits for it. */
  begin(): void {
    if (this.worker) return;
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = (event) =>
      this.hear({ kind: "failed", reason: event.message || "the worker failed", broken: false });
    const games = (document.documentElement.dataset["games"] ?? "").split(" ").filter(Boolean);
    const at = (path: string) => new URL(path, base).href;
    this.send({ kind: "begin", base, games: games.map(at), patient: pausing() });
  }
  /** Take the tables of this device over from another tab. */
  take(): void {
    this.send({ kind: "take" });
  }

  /** Call the house as one calls a server. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    this.begin();
    const id = ++this.count;
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === "string" ? init.body : "";
    this.say({ id, method: init.method ?? "GET", path, headers, body });
    return new Promise((resolve, reject) => {
      this.calls.set(id, ({ status = 0, headers, body = "" }) => {
        if (status)
          resolve(new Response(status === 204 ? null : body, { status, headers: headers ?? {} }));
        else reject(new TypeError("the house of this device is gone"));
      });
    });
  }
  line(path: string): Line {
    this.begin();
    const number = ++this.count;
    const line = new Line(number, (message) => this.say(message));
    this.lines.set(number, line);
    this.say({ line: number, path });
    return line;
  }

  /** Give all tables of this device as one file. */
  copy(): Promise<Uint8Array> {
    this.begin();
    this.send({ kind: "copy" });
    return new Promise((resolve) => (this.copied = resolve));
  }
  /** Begin with the tables of a file, or with none; the page is to be loaded anew. */
  replace(data: Uint8Array | null): void {
    this.begin();
    this.send(data ? { kind: "replace", data } : { kind: "forget" });
  }

  private say(message: object): void {
    this.send({ kind: "hear", text: JSON.stringify(message) });
  }
  private send(message: ToWorker): void {
    this.worker?.postMessage(message);
  }
  private hear(message: FromWorker): void {
    if (message.kind === "copy") this.copied?.(message.data);
    else if (message.kind !== "told") {
      this.state = message;
      if (message.kind === "failed") console.error("the house of this device:", message.reason);
      if (message.kind === "failed" || message.kind === "taken") this.end();
    } else {
      const told = JSON.parse(message.text) as Told;
      if (told.id !== undefined) {
        this.calls.get(told.id)?.(told);
        this.calls.delete(told.id);
      } else if (told.line !== undefined) {
        this.lines.get(told.line)?.hear(told);
        if (told.close !== undefined) this.lines.delete(told.line);
      }
    }
  }
  /** Nothing is answered any more. */
  private end(): void {
    for (const answer of this.calls.values()) answer({});
    for (const line of this.lines.values()) line.end(1001);
    this.calls.clear();
    this.lines.clear();
  }
}

/** Whether bots pretend to think: tests would rather not wait. */
const pausing = () => document.documentElement.dataset["pause"] !== "0";

export const here = new Here();

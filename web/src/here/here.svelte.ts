// The house of this device, as the page sees it: calls and lines that need no server.

import { renew } from "../lib/renew";
import { base } from "../lib/site";
import { Calls, type Line, type Told } from "./calls";
import type { Brought, FromWorker, Merged, ToWorker } from "./port";
import { standing } from "./standing.svelte";

class Here {
  private worker: Worker | null = null;
  private count = 0;
  private calls = this.asking();
  /** Who waits for what the worker tells beside calls and lines. */
  private readonly asked = new Map<FromWorker["kind"], (message: FromWorker) => void>();
  private readonly questions = new Map<number, (text: string | null) => void>();

  /** Let Python come, once; what is asked meanwhile waits for it. */
  begin(): void {
    if (this.worker) return;
    const first = { kind: "loading", done: 0, all: 0 } as const;
    standing.now = first; // a host may take its time until the first bytes
    this.calls = this.asking();
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = ({ message }) => {
      const isGone = !message && standing.now === first && navigator.onLine;
      if (!isGone || !renew())
        this.hear({ kind: "failed", why: "trouble", reason: message || "the worker failed" });
    };
    standing.take = () => this.send({ kind: "take" });
    const games = (document.documentElement.dataset["games"] ?? "").split(" ").filter(Boolean);
    const at = (path: string) => new URL(path, base).href;
    const { takes: steals } = standing;
    this.send({ kind: "begin", base, games: games.map(at), patient: pausing(), steals });
  }

  /** Call the house as one calls a server. */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    this.begin();
    return this.awaited(this.calls.fetch(path, init));
  }
  line(path: string): Line {
    this.begin();
    const line = this.calls.line(path);
    void this.awaited(line.settled);
    return line;
  }

  /** Give all tables of this device as the text of a file. */
  file = () => this.awaited(this.question<string>("copy"));
  /** Take over the tables of a file. */
  bring = (text: string) => this.awaited(this.question<Brought>("bring", text));
  /** Name the versions of all tables of this device. */
  marks = () => this.question<Record<string, string>>("marks");
  /** Give all that has happened at a table. */
  entries = (table: string) => this.question<string[]>("entries", table);
  /** Bring a table together with what another device has of it. */
  merge = (table: string, entries: readonly string[]) =>
    this.question<Merged>("merge", table, JSON.stringify(entries));
  /** Give what is kept as it is, also where it cannot be read. */
  async raw(): Promise<Uint8Array> {
    return (await this.ask({ kind: "raw" }, "raw")).data;
  }
  /** Forget all tables of this device; the page is then to be loaded anew. */
  async forget(): Promise<void> {
    await this.ask({ kind: "forget" }, "forgotten");
  }

  private async question<T>(what: string, ...words: string[]): Promise<T> {
    this.begin();
    if (standing.isOver) throw new Error(standing.why);
    const id = ++this.count;
    this.send({ kind: "ask", id, what, words });
    const text = await new Promise<string | null>((resolve) => this.questions.set(id, resolve));
    if (text === null) throw new Error(standing.why);
    const found = JSON.parse(text) as T & { refused?: string };
    if (found.refused !== undefined) throw new Error(found.refused);
    return found;
  }
  private ask<K extends FromWorker["kind"]>(message: ToWorker, kind: K) {
    this.begin();
    this.send(message);
    type Answer = FromWorker & { kind: K };
    return new Promise<Answer>((resolve) =>
      this.asked.set(kind, (answer) => resolve(answer as Answer)),
    );
  }
  /** Somebody waits for it, and is told why it takes so long. */
  private async awaited<T>(answer: Promise<T>): Promise<T> {
    standing.awaited++;
    try {
      return await answer;
    } finally {
      standing.awaited--;
    }
  }
  private asking(): Calls {
    return new Calls((said) => this.send({ kind: "hear", text: JSON.stringify(said) }), true);
  }
  private send(message: ToWorker): void {
    this.worker?.postMessage(message);
  }
  private hear(message: FromWorker): void {
    this.asked.get(message.kind)?.(message);
    this.asked.delete(message.kind);
    switch (message.kind) {
      case "told":
        this.calls.hear(JSON.parse(message.text) as Told);
        break;
      case "answered":
        this.questions.get(message.id)?.(message.text);
        this.questions.delete(message.id);
        break;
      case "raw":
      case "forgotten":
        break;
      default:
        standing.now = message;
        if (message.kind === "failed" || message.kind === "taken") this.end();
        if (message.kind === "failed" && message.why === "absent") this.dismiss();
    }
  }
  /** Python could not be had: perhaps it can the next time. */
  private dismiss(): void {
    this.worker?.terminate();
    this.worker = null;
  }
  /** Nothing is answered any more. */
  private end(): void {
    this.calls.end(standing.why);
    for (const answer of this.questions.values()) answer(null);
    this.questions.clear();
  }
}

/** Whether bots pretend to think: tests would rather not wait. */
const pausing = () => document.documentElement.dataset["pause"] !== "0";

export const here = new Here();

// Calls and lines to a house that is not a server's: each is a text, and so is what comes back.

export interface Told {
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

/** A line to a table; to its user it is a WebSocket. */
export class Line {
  readyState: number = WebSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  private settle: () => void = () => {};
  /** It is open, or will never be. */
  readonly settled = new Promise<void>((resolve) => (this.settle = resolve));

  constructor(
    private readonly number: number,
    private readonly say: (message: object) => void,
    /** Nothing can cut it unheard. */
    readonly steady: boolean,
  ) {}
  send(text: string): void {
    this.say({ line: this.number, text });
  }
  close(): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    this.readyState = WebSocket.CLOSED;
    this.settle();
    this.say({ line: this.number, close: true });
  }
  hear(told: Told): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    if (told.open) {
      this.readyState = WebSocket.OPEN;
      this.settle();
      this.onopen?.();
    } else if (told.text !== undefined) this.onmessage?.({ data: told.text });
    else if (told.close !== undefined) this.end(told.close);
  }
  end(code: number): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    this.readyState = WebSocket.CLOSED;
    this.settle();
    this.onclose?.({ code });
  }
}

/** What one has asked such a house, until it is answered. */
export class Calls {
  /** Why nothing is answered any more, as an error says it. */
  over = "";
  private count = 0;
  private readonly calls = new Map<number, (told: Told) => void>();
  private readonly lines = new Map<number, Line>();

  constructor(
    private readonly say: (message: object) => void,
    private readonly steady: boolean,
  ) {}

  /** Call the house as one calls a server. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    if (this.over) return Promise.reject(new Error(this.over));
    const id = ++this.count;
    const headers = Object.fromEntries(new Headers(init.headers));
    delete headers["x-login"]; // profiles are the server's: elsewhere nobody is known
    const body = typeof init.body === "string" ? init.body : "";
    this.say({ id, method: init.method ?? "GET", path, headers, body });
    return new Promise((resolve, reject) => {
      this.calls.set(id, ({ status = 0, headers, body = "" }) => {
        if (status)
          resolve(new Response(status === 204 ? null : body, { status, headers: headers ?? {} }));
        else reject(new Error(this.over));
      });
    });
  }
  line(path: string): Line {
    const number = ++this.count;
    const say = (message: object) => {
      if ("close" in message) this.lines.delete(number); // nothing more is heard of it
      this.say(message);
    };
    const line = new Line(number, say, this.steady);
    if (this.over) queueMicrotask(() => line.end(1001));
    else {
      this.lines.set(number, line);
      this.say({ line: number, path });
    }
    return line;
  }
  hear(told: Told): void {
    if (told.id !== undefined) {
      this.calls.get(told.id)?.(told);
      this.calls.delete(told.id);
    } else if (told.line !== undefined) {
      this.lines.get(told.line)?.hear(told);
      if (told.close !== undefined) this.lines.delete(told.line);
    }
  }
  /** Nothing is answered any more. */
  end(why: string): void {
    this.over = why;
    for (const answer of this.calls.values()) answer({});
    for (const line of this.lines.values()) line.end(1001);
    this.calls.clear();
    this.lines.clear();
  }
}

// What one phone must know of another to find it without a server: short enough for a QR code.

export interface Note {
  /** A guest answers what the phone with the table has offered. */
  kind: "offer" | "answer";
  /** The same in an offer and its answer. */
  pair: number;
  /** The table to which it leads. */
  table: string;
  user: string;
  password: string;
  /** SHA-256 of the certificate that the other phone will show. */
  print: Uint8Array;
  /** Where the phone can be reached in its own network. */
  hosts: [address: string, port: number][];
}

const version = 1;
const kinds = ["offer", "answer"] as const;
const longest = 2000;
const mostHosts = 8;
/** How an address is written: a number in four bytes, a browser's own name in sixteen, or as text. */
const [numbered, named, texted] = [4, 16, 0];
const uuid = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\.local$/;

/** What a phone calls the tables that it keeps. */
const isOwnName = /^0[2-9a-km-z]{12}$/;

/** Bytes as signs that can be compared. */
export const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

class BadNote extends Error {}
const bad = (why: string) => new BadNote(why);

const short = (text: string) => {
  if (!/^[\x21-\x7e]{0,255}$/.test(text)) throw bad("what a browser says of itself is not short");
  return [text.length, ...Array.from(text, (sign) => sign.charCodeAt(0))];
};
const pair = (number: number) => [number >> 8, number & 255];

function place([address, port]: [string, number]): number[] {
  const name = uuid.exec(address)?.slice(1).join("");
  if (name)
    return [
      named,
      ...Array.from(name.match(/../g) ?? [], (two) => parseInt(two, 16)),
      ...pair(port),
    ];
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address))
    return [numbered, ...address.split(".").map(Number), ...pair(port)];
  return [texted, ...short(address), ...pair(port)];
}

/** Write a note as letters that any link may hold. */
export function pack(note: Note): string {
  const hosts = note.hosts.slice(0, mostHosts);
  const bytes = [
    version * 2 + kinds.indexOf(note.kind),
    ...pair(note.pair),
    ...short(note.table),
    ...short(note.user),
    ...short(note.password),
    ...note.print,
    hosts.length,
    ...hosts.flatMap(place),
  ];
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Reads one thing after another, and never beyond the end. */
class Reader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}
  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw bad("it is cut off");
    this.at += count;
    return this.bytes.slice(this.at - count, this.at);
  }
  byte(): number {
    return this.take(1)[0] ?? 0;
  }
  pair(): number {
    return this.byte() * 256 + this.byte();
  }
  text(): string {
    const text = String.fromCharCode(...this.take(this.byte()));
    if (!/^[\x21-\x7e]*$/.test(text)) throw bad("it holds signs that no browser says");
    return text;
  }
  place(): [string, number] {
    return [this.address(this.byte()), this.pair()];
  }
  private address(kind: number): string {
    if (kind === numbered) return this.take(4).join(".");
    if (kind === texted) return this.number();
    if (kind !== named) throw bad("it names a place that nobody knows");
    return `${hex(this.take(16)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}.local`;
  }
  /** A longer number: whoever writes another name would have us ask the internet for it. */
  private number(): string {
    const text = this.text();
    if (!/^[\da-f]*:[\da-f:.]+$/i.test(text)) throw bad("only a phone beside us can be reached");
    return text;
  }
  get isDone(): boolean {
    return this.at === this.bytes.length;
  }
}

/** The note in what was scanned or pasted: it stands alone, or at the end of a link. */
export const noteIn = (text: string) => text.trim().split("#").at(-1)?.trim() ?? "";

/** Read a note; throws if it is none. */
export function unpack(text: string): Note {
  const letters = noteIn(text);
  if (!/^[\w-]+$/.test(letters) || letters.length > longest) throw bad("this is no note");
  const found = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const reader = new Reader(Uint8Array.from(found, (sign) => sign.charCodeAt(0)));
  const first = reader.byte();
  const kind = kinds[first - version * 2];
  if (!kind) throw bad("another version has written this");
  const note = {
    kind,
    pair: reader.pair(),
    table: reader.text(),
    user: reader.text(),
    password: reader.text(),
    print: reader.take(32),
    hosts: [] as Note["hosts"],
  };
  for (let left = Math.min(reader.byte(), mostHosts); left > 0; left--)
    note.hosts.push(reader.place());
  if (!isOwnName.test(note.table)) throw bad("no phone keeps such a table");
  if (!reader.isDone) throw bad("there is more in it than a note");
  return note;
}

/** What a browser says of itself in its own way, as far as a note holds it. */
export type Self = Pick<Note, "user" | "password" | "print" | "hosts">;

export function readSelf(sdp: string): Self {
  const line = (name: string) => new RegExp(`^a=${name}:(.*)$`, "m").exec(sdp)?.[1]?.trim() ?? "";
  const print = line("fingerprint").replace(/^sha-256 /i, "");
  const bytes = print.split(":").map((two) => parseInt(two, 16));
  if (bytes.length !== 32 || bytes.some(Number.isNaN)) throw bad("there is no fingerprint");
  const found = sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host/gim);
  const hosts = Array.from(found, ([, address = "", port = ""]): [string, number] => [
    address,
    Number(port),
  ]);
  return {
    user: line("ice-ufrag"),
    password: line("ice-pwd"),
    print: Uint8Array.from(bytes),
    hosts,
  };
}

/** Write a note the way a browser reads it. */
export function asSdp({ kind, pair, user, password, print, hosts }: Note): string {
  const pairs = hex(print).toUpperCase().match(/../g) ?? [];
  return [
    "v=0",
    `o=- ${pair + 1} 1 IN IP4 127.0.0.1`,
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    `a=ice-ufrag:${user}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${pairs.join(":")}`,
    `a=setup:${kind === "offer" ? "actpass" : "active"}`,
    "a=mid:0",
    "a=sctp-port:5000",
    "a=max-message-size:262144",
    ...hosts.map(
      ([address, port], n) =>
        `a=candidate:${n + 1} 1 udp ${2113937151 - n} ${address} ${port} typ host`,
    ),
    "",
  ].join("\r\n");
}

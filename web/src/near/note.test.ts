import { expect, test } from "vitest";
import { asSdp, hex, noteIn, pack, readSelf, unpack, type Note } from "./note";

const note: Note = {
  kind: "offer",
  pair: 513,
  table: "0bcdefghjkmnp",
  user: "abcd",
  password: "a+/bcdefghijklmnopqrstuv",
  print: Uint8Array.from({ length: 32 }, (_, n) => 255 - n),
  hosts: [
    ["192.168.1.20", 50_000],
    ["0f3b0c9a-1b2c-4d3e-8f40-0123456789ab.local", 1],
    ["fd00::2", 65_535],
  ],
};

test("a note is read as it was written, alone or at the end of a link", () => {
  const packed = pack(note);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(unpack(packed)).toEqual(note);
  expect(unpack(` https://host/some/path/#/near#${packed}\n`)).toEqual(note);
  expect(unpack(pack({ ...note, kind: "answer", hosts: [] })).kind).toBe("answer");
});

test("a note with the addresses of a phone fits a code that is easy to scan", () => {
  expect(pack(note).length).toBeLessThan(250);
});

test("what a browser says of itself comes out again as it was", () => {
  for (const kind of ["offer", "answer"] as const) {
    const sdp = asSdp({ ...note, kind });
    const { user, password, print, hosts } = note;
    expect(readSelf(sdp)).toEqual({ user, password, print, hosts });
    expect(sdp).toContain(`a=setup:${kind === "offer" ? "actpass" : "active"}`);
  }
});

const bytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const letters = (found: Uint8Array) =>
  btoa(String.fromCharCode(...found))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

test("whatever is cut off, too long, from elsewhere or of another kind is no note", () => {
  const whole = bytes(pack(note));
  for (let end = 0; end < whole.length; end++)
    expect(() => unpack(letters(whole.slice(0, end)))).toThrow();
  expect(() => unpack(letters(Uint8Array.of(...whole, 0)))).toThrow();
  expect(() => unpack(letters(Uint8Array.of(4, ...whole.slice(1))))).toThrow();
  for (const text of ["", "#", "ä", "https://elsewhere/", "A".repeat(2001), "[]", "%00"])
    expect(() => unpack(text)).toThrow();
});

test("nobody writes a line of their own into what a browser reads, nor names a server's table", () => {
  const lined = { user: "ab\r\na=candidate:x", password: "a b", table: "0bcdefghjkmn\n" };
  for (const [field, text] of Object.entries(lined))
    expect(() => pack({ ...note, [field]: text })).toThrow();
  for (const table of ["bcdefghjkmnpq", "0", "../0cdefghjkm", "0bcdefghjkmnpq"])
    expect(() => unpack(pack({ ...note, table }))).toThrow();
  expect(() => pack({ ...note, hosts: [["a b", 1]] })).toThrow();
  const bad = pack({ ...note, user: "abcd" });
  const spoilt = bytes(bad);
  spoilt[spoilt.indexOf("a".charCodeAt(0), 17)] = 10; // a line break in place of a sign
  expect(() => unpack(letters(spoilt))).toThrow();
});

test("a link has one note, behind its last mark", () => {
  expect(noteIn("https://host/#/near#abc")).toBe("abc");
  expect(noteIn("abc")).toBe("abc");
});

test("a fingerprint is told in signs", () => {
  expect(hex(Uint8Array.of(0, 15, 255))).toBe("000fff");
  expect(() => readSelf("a=fingerprint:sha-256 00:11")).toThrow();
});

test.each(["host.example", "localhost", "a.local", "1.2.3", "x:1"])(
  "a note leads to a phone beside us, and asks nobody for a name: %s",
  (name) => {
    expect(() => unpack(pack({ ...note, hosts: [[name, 1]] }))).toThrow();
  },
);

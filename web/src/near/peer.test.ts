import { expect, test } from "vitest";
import { Peer } from "./peer";

class Channel {
  binaryType = "";
  readyState = "open";
  bufferedAmount = 0;
  onmessage = (_: { data: unknown }) => {};
  onclose = () => {};
  to: Channel | null = null;
  sent: ArrayBuffer[] = [];
  send(piece: Uint8Array) {
    const copy = piece.slice().buffer;
    this.sent.push(copy);
    this.to?.onmessage({ data: copy });
  }
  close() {
    this.readyState = "closed";
  }
}

const connection = () => ({ connectionState: "connected", close: () => {} });
const peer = (channel: Channel, longest = 1e6) =>
  new Peer(
    connection() as unknown as RTCPeerConnection,
    channel as unknown as RTCDataChannel,
    longest,
  );

function two(longest = 1e6) {
  const [one, other] = [new Channel(), new Channel()];
  one.to = other;
  const heard: string[] = [];
  const [sends, hears] = [peer(one), peer(other, longest)];
  hears.heard = (text) => heard.push(text);
  return { one, other, sends, hears, heard };
}

test("texts arrive whole and in order, however long", () => {
  const { one, sends, heard } = two();
  const texts = ["", "a", "é".repeat(16_000), "x".repeat(15_999), "x".repeat(16_000)];
  for (const text of texts) sends.send(text);
  expect(heard).toEqual(texts);
  expect(Math.max(...one.sent.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(16_001);
});

test("who sends too much in one text is left", () => {
  const { sends, hears, heard, other } = two(40_000);
  let ends = 0;
  hears.ended = () => ends++;
  sends.send("x".repeat(39_000));
  expect(heard).toHaveLength(1);
  sends.send("x".repeat(41_000));
  expect([heard.length, ends, other.readyState]).toEqual([1, 1, "closed"]);
  sends.send("more");
  expect(heard).toHaveLength(1);
});

test.each([["text"], [new ArrayBuffer(0)]])("what is no piece ends it: %s", (data) => {
  const channel = new Channel();
  const hears = peer(channel);
  let ends = 0;
  hears.ended = () => ends++;
  channel.onmessage({ data });
  expect(ends).toBe(1);
  channel.onclose();
  expect(ends).toBe(1);
});

test("crumbs of a text fill no memory", () => {
  const channel = new Channel();
  const hears = peer(channel, 40_000);
  let ends = 0;
  hears.ended = () => ends++;
  for (let count = 0; count < 50; count++)
    channel.onmessage({ data: Uint8Array.from([1, 120]).buffer });
  expect(ends).toBe(1);
});

test("nothing piles up for who does not read", () => {
  const channel = new Channel();
  const sends = peer(channel);
  let ends = 0;
  sends.ended = () => ends++;
  channel.bufferedAmount = 7.9e6;
  sends.send("x".repeat(200_000));
  expect([channel.sent, ends, channel.readyState]).toEqual([[], 1, "closed"]);
});

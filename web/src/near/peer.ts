// A line of texts to another phone. A text goes in pieces, for a browser sends only small ones.

/** So many bytes are one piece. */
const size = 16_000;
/** A piece takes so many bytes of memory, however small it is. */
const least = 1000;
/** Who does not read what waits for them is no longer there; in bytes. */
const mostUnread = 8e6;

export class Peer {
  heard: (text: string) => void = () => {};
  ended: () => void = () => {};
  private over = false;
  private come: Uint8Array[] = [];
  private length = 0;

  constructor(
    private readonly connection: RTCPeerConnection,
    private readonly channel: RTCDataChannel,
    /** So many bytes a text from there may have. */
    private readonly longest: number,
  ) {
    channel.binaryType = "arraybuffer";
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) this.take(new Uint8Array(data));
      else this.end();
    };
    channel.onclose = () => this.end();
    connection.onconnectionstatechange = () => {
      if (["failed", "closed"].includes(connection.connectionState)) this.end();
    };
  }

  send(text: string): void {
    if (this.over || this.channel.readyState !== "open") return;
    const bytes = new TextEncoder().encode(text);
    if (this.channel.bufferedAmount + bytes.length > mostUnread) return this.end();
    for (let at = 0; at === 0 || at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      const sent = new Uint8Array(piece.length + 1);
      sent[0] = at + size < bytes.length ? 1 : 0; // whether more follows
      sent.set(piece, 1);
      this.channel.send(sent);
    }
  }
  end(): void {
    if (this.over) return;
    this.over = true;
    this.channel.close();
    this.connection.close();
    this.come = [];
    this.ended();
  }

  private take(piece: Uint8Array): void {
    this.length += Math.max(piece.length, least);
    if (piece.length === 0 || this.length > this.longest) return this.end();
    this.come.push(piece.subarray(1));
    if (piece[0]) return;
    const whole = new Uint8Array(this.come.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.come) {
      whole.set(part, at);
      at += part.length;
    }
    this.come = [];
    this.length = 0;
    if (!this.over) this.heard(new TextDecoder().decode(whole));
  }
}

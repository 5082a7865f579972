// How two phones find each other without a server: one offers, the other answers, each with a note.

import { asSdp, hex, pack, readSelf, unpack, type Note } from "./note";
import { passport } from "./passport";
import { Peer } from "./peer";

/** So long a browser looks for its own addresses, in ms. */
const patience = 3000;
/** What a guest may ask for in one text, and what the phone with the table may tell, in bytes. */
const [mostAsked, mostTold] = [64_000, 16e6];

export const canPair = () => typeof RTCPeerConnection === "function";

/** Nobody in the network but us can be reached: there is no Wi-Fi. */
export class NoNetwork extends Error {}

class Connection {
  /** Whether the other phone is there: from then on the connection is its line's. */
  private met = false;
  readonly made: RTCPeerConnection;
  private readonly channel: RTCDataChannel;

  constructor(certificates: RTCCertificate[] = []) {
    this.made = new RTCPeerConnection({ iceServers: [], certificates });
    this.channel = this.made.createDataChannel("tischlein", { negotiated: true, id: 0 });
  }

  /** What we are, with all places where we can be reached. */
  async self(kind: RTCSdpType) {
    const { made } = this;
    const known = new Promise<void>((resolve) => {
      made.onicegatheringstatechange = () => {
        if (made.iceGatheringState === "complete") resolve();
      };
      setTimeout(resolve, patience);
    });
    await made.setLocalDescription(
      await (kind === "offer" ? made.createOffer() : made.createAnswer()),
    );
    await known;
    const self = readSelf(made.localDescription?.sdp ?? "");
    if (!self.hosts.length) throw new NoNetwork();
    return self;
  }
  async meet(note: Note): Promise<void> {
    await this.made.setRemoteDescription({ type: note.kind, sdp: asSdp(note) });
  }
  /** The other phone, as soon as it is there. */
  peer(longest: number): Promise<Peer> {
    return new Promise((resolve) => {
      this.channel.onopen = () => {
        this.met = true;
        resolve(new Peer(this.made, this.channel, longest));
      };
    });
  }
  /** Wait for nobody any more. */
  close(): void {
    if (!this.met) this.made.close();
  }
}

/** What the phone with the table shows, and what it does with the answer. */
export class Invitation {
  private constructor(
    private readonly connection: Connection,
    private readonly pair: number,
    readonly note: string,
    readonly guest: Promise<Peer>,
  ) {}

  static async to(table: string): Promise<Invitation> {
    const connection = new Connection([await passport()]);
    try {
      const [pair = 0] = crypto.getRandomValues(new Uint16Array(1));
      const guest = connection.peer(mostAsked);
      const note = pack({ kind: "offer", pair, table, ...(await connection.self("offer")) });
      return new Invitation(connection, pair, note, guest);
    } catch (error) {
      connection.close();
      throw error;
    }
  }
  /** Whether a text is the answer to this one. */
  fits(text: string): boolean {
    try {
      const { kind, pair } = unpack(text);
      return kind === "answer" && pair === this.pair;
    } catch {
      return false;
    }
  }
  async take(text: string): Promise<void> {
    await this.connection.meet(unpack(text));
  }
  close(): void {
    this.connection.close();
  }
}

/** What a guest shows, having read what the phone with the table shows. */
export class Acceptance {
  private constructor(
    private readonly connection: Connection,
    readonly table: string,
    /** What the phone with the table shows of itself. */
    readonly print: string,
    readonly note: string,
    readonly holder: Promise<Peer>,
  ) {}

  static async of(text: string): Promise<Acceptance> {
    const offer = unpack(text);
    if (offer.kind !== "offer") throw new TypeError("this is an answer");
    const { pair, table } = offer;
    const connection = new Connection();
    try {
      const holder = connection.peer(mostTold);
      await connection.meet(offer);
      const note = pack({ kind: "answer", pair, table, ...(await connection.self("answer")) });
      return new Acceptance(connection, table, hex(offer.print), note, holder);
    } catch (error) {
      connection.close();
      throw error;
    }
  }
  close(): void {
    this.connection.close();
  }
}

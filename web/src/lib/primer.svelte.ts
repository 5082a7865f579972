// A first game, to learn by playing: the server tells all of it beforehand, and this stands in for the
// line to a table. What the learner is asked for goes on; anything else gets a friendly word.

import type { Stand, TableInfo, ToldPrimer, ToldStep } from "../wire/frames";
import { Clock } from "./clock";
import type { Frame, Refused, Seen } from "./live.svelte";
import { Scenes } from "./scenes.svelte";

type Wanted = Record<string, unknown>;

/** The end of a tap that has brought the next step is no try at it; in ms. */
const calm = 500;

export class Primer {
  // What a board asks of a line.
  readonly status = "open";
  readonly waits = false;
  readonly token = null;
  readonly clock = new Clock();
  readonly scenes = new Scenes();
  refused = $state.raw<Refused | null>(null);

  /** Which step is said now. */
  at = $state(0);
  /** Whether all that happened so far was seen. */
  ready = $state(true);
  /** How often something else was tried at this step. */
  nudges = $state(0);

  private count = 0;
  private race: number | null = null;
  private closed = false;
  private since = -Infinity;

  constructor(
    readonly told: ToldPrimer,
    private readonly me: string,
    private readonly races: boolean,
  ) {
    this.scenes.plays = () => {
      if (!this.scenes.busy && !this.ready) this.arrive();
    };
    this.scenes.hear(this.frameOf(told.stand));
  }

  get step(): ToldStep | undefined {
    return this.told.steps[this.at];
  }
  /** Whether nothing is left to be done: the last step is said, or done. */
  get ended(): boolean {
    const { steps } = this.told;
    const last = this.at === steps.length - 1 && this.step?.do === null;
    return this.ready && (last || this.at >= steps.length);
  }
  /** What was shown last, or is to be seen when all is. */
  get frame(): Frame | null {
    return this.scenes.shown;
  }

  /** The learner has read what is said. */
  goOn = (): void => {
    if (this.ready && !this.ended && this.step?.do === null) this.follow(this.at);
  };

  /** The learner does something: what is asked for, perhaps before reading to the end, or something else. */
  move = (move: object): void => {
    if (!this.ready) return;
    let at = this.at;
    while (this.told.steps[at]?.do === null && !this.told.steps[at]?.shown.length) at += 1;
    const wanted = this.told.steps[at]?.do;
    if (wanted && same(move as Wanted, wanted)) this.follow(at);
    else this.nudge();
  };

  /** The learner asks why something cannot be done. */
  ask = (_move: object): void => this.nudge();

  close(): void {
    this.closed = true;
    this.scenes.close();
  }

  private nudge(): void {
    if (!this.ready || this.ended || performance.now() < this.since + calm) return;
    this.nudges += 1;
    this.refused = { code: "learn_first", reason: "", fields: {} }; // so that boards take another try
  }

  /** Show what follows on a step. */
  private follow(at: number): void {
    const step = this.told.steps[at];
    if (!step) return;
    this.at = at;
    this.nudges = 0;
    this.refused = null;
    this.ready = false;
    const news = step.shown.flatMap((shown) => shown.news);
    const steps = step.shown as NonNullable<Frame["steps"]>;
    // Nothing may be done meanwhile, and so nothing is hurried.
    this.scenes.hear({ ...this.frameOf(step.stand), legal: {}, news, steps } as Frame);
    if (!this.scenes.busy && !this.ready) this.arrive();
  }

  /** All was seen: say the next step. */
  private arrive(): void {
    if (this.closed) return;
    const stand = this.step?.stand;
    this.ready = true;
    this.since = performance.now();
    this.at += 1;
    if (stand) this.scenes.hear(this.frameOf(stand));
  }

  private frameOf(stand: Stand): Frame {
    this.count += 1;
    if (!stand.racing) this.race = null;
    else this.race ??= this.count;
    const { racing: _, ...shown } = stand;
    return {
      ...shown,
      seq: this.count,
      seat: 0,
      table: this.table(stand.over),
      clocks: {},
      race: this.races ? { show_at: this.race, photo: stand.racing ? null : [] } : null,
      log: [] as Seen[],
      news: [],
      story: null,
      now: this.count,
    } as unknown as Frame;
  }

  private table(over: boolean): TableInfo {
    const seats = [this.me, ...this.told.others].map((name) => ({
      ...{ name, bot: null, relief: null, here: true, can_be_relieved: false, handicap: 0 },
      ...{
        lag: null,
        contribution: null,
        stand_in: null,
        sealed: null,
        opened: false,
        holds: false,
        takes_bots: false,
        late: false,
      },
    }));
    return {
      ...{ table: "", game: this.told.game, phase: over ? "over" : "playing", seats, host: 0 },
      ...{ options: this.told.options, speed: "relaxed", hints: false, commitment: "", games: 1 },
      ...{ wishes: [], watchers: 0, lag_cap: null, opening: false, held_up: [] },
      ...{ public: false, seek: false, closed: false, cup: null, bots_at: null },
    };
  }
}

/** Whether two moves are the same, whenever they were made and in whatever order their cards or dice lie. */
export function same(move: Wanted, wanted: Wanted): boolean {
  const known = ({ at: _, ...rest }: Wanted) =>
    Object.entries(rest).map(([name, value]) => [name, ordered(value)] as const);
  const plain = (one: Wanted) => JSON.stringify(known(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  return plain(move) === plain(wanted);
}

const ordered = (value: unknown) => (Array.isArray(value) ? value.map(String).sort() : value);

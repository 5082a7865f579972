// One event after another: what a frame tells is shown move by move, each for as long as it takes.
// Board, header, prompts, words, sounds and the result follow what is shown here, so that nothing is
// told before it is seen, and nothing is swallowed.

import type { Table, Telling } from "../games";
import type { Frame, Scene } from "./live.svelte";
import { beyond, stillTold, type Field, type News } from "./news";
import { pace } from "./pace.svelte";
import { prefs } from "./prefs.svelte";
import { raceOf } from "./race.svelte";
import { feel, playAll, type Sound } from "./sound";

const usual: Telling = { ms: 1100 };
/** Who is to move does not wait for what is not about them: so much of its time it still gets. */
const hurried = 0.4;
/** How long a big moment is felt, in ms. */
const shaken = 60;

/** What is shown for a while. */
interface Beat {
  frame: Frame;
  ms: number;
  /** What is told with it. */
  news: News[];
  telling: Telling;
}

export class Scenes {
  /** What is to be seen now. */
  shown = $state.raw<Frame | null>(null);
  /** The story, as far as it was seen. */
  told = $state.raw<readonly News[]>([]);
  /** What was told last, and how often something was: for who listens. */
  saying = $state.raw<{ news: readonly News[]; nth: number }>({ news: [], nth: 0 });
  /** What a banner says now. */
  banner = $state.raw<{ news: readonly News[]; big: boolean } | null>(null);
  /** Whether the next scene waits for a tap. */
  waits = $state(false);
  /** What the game is drawn and heard with. */
  parts: () => Pick<Table, "scenes" | "sounds"> | null = () => null;
  /** Whether this page lets its scenes be heard. */
  loud = true;
  /** Whether several play on this device: then all its lines show the same for equally long. */
  shared = false;
  /** Is told when scenes begin and when all are shown. */
  plays: (busy: boolean) => void = () => {};

  private beats: Beat[] = [];
  private newest: Frame | null = null;
  /** The story up to the newest frame. */
  private story: readonly News[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isBusy = $state(false);
  /** Whether the player was called already, by what waits for them. */
  private called = false;
  /** Whether all that was shown since is what the player does anyway, such as rolling once more. */
  private goesOn = false;

  /** Whether something is still being told. */
  get busy(): boolean {
    return this.isBusy;
  }

  /** Hear the newest frame: show what it tells, one after another, then how things stand. */
  hear(frame: Frame): void {
    const last = this.newest;
    this.newest = frame;
    const { steps = [], story } = frame;
    const known = !!last && !!this.shown && last.table.games === frame.table.games;
    // A new line tells no news, but the whole story: what happened while the old one was lost is in it.
    const anew = known && story && !frame.news.length;
    const news = anew ? beyond(this.story, story) : frame.news;
    this.story = story ?? stillTold([...this.story, ...news]);
    const unseen = news.length > 0 && !steps.length; // there is nothing to be shown of it
    if (!known || unseen || !this.mayWatch(frame)) return this.skip(this.shown ? news : []);
    for (const step of steps) this.add(step, frame, this.latest ?? last);
    // What waits for a player must not hold up what has happened without them.
    if (!this.isBusy || (this.shown?.scene?.asks && steps.length)) this.next();
  }

  /** End the scene that is shown: somebody has seen enough of it. */
  goOn = (): void => {
    if (this.isBusy) this.next();
  };

  /** Show at once how things stand; what was not shown yet is told all the same. */
  catchUp(): void {
    this.skip([]);
  }

  /** Forget everything: nobody looks any more. */
  close(): void {
    this.stop();
    this.beats = [];
  }

  /** A late tab, an open race and a script catch up at once. */
  private mayWatch(frame: Frame): boolean {
    const hidden = typeof document !== "undefined" && document.hidden;
    return !hidden && raceOf(frame) === null && pace.factor > 0 && frame.table.phase !== "open";
  }

  /** Tell all that waits, and then these news, but show only how things stand. */
  private skip(news: readonly News[]): void {
    const missed = [...this.beats.flatMap((beat) => beat.news), ...news];
    this.close();
    if (!this.newest) return;
    this.tell(missed);
    this.rest(this.newest);
  }

  /** What will have been shown when all that waits is. */
  private get latest(): Frame | null {
    return this.beats.at(-1)?.frame ?? this.shown;
  }

  private add(step: NonNullable<Frame["steps"]>[number], frame: Frame, before: Frame): void {
    const { move, news } = step;
    const after = during(frame, before, { view: step.view, news, scene: { move, lead: false } });
    after.to_move = typeof move.by === "number" ? [move.by] : step.to_move;
    const telling = this.parts()?.scenes?.(news, move, after, before) ?? usual;
    const asks = telling.asks && !this.shared;
    if (telling.lead || asks) {
      const scene = { move, lead: true, ...(asks && { asks: true }) };
      const lead = during(frame, before, { view: before.view, news, scene });
      lead.to_move = asks ? step.to_move : before.to_move;
      this.beats.push({ frame: lead, ms: telling.lead ?? 0, news: [], telling });
    }
    this.beats.push({ frame: after, ms: telling.ms, news, telling });
  }

  private next(): void {
    this.stop();
    const beat = this.beats.shift();
    if (!beat) {
      if (this.newest) this.rest(this.newest);
      return;
    }
    if (!this.isBusy) this.plays((this.isBusy = this.goesOn = true));
    const { quiet, big, words = beat.frame.news } = beat.telling;
    const ms = this.long(beat);
    const { scene, seat } = beat.frame;
    this.goesOn &&= !!quiet && (scene?.move.by === seat || scene?.move.by === "nature");
    this.shown = scene ? { ...beat.frame, scene: { ...scene, ms } } : beat.frame;
    this.tell(beat.news);
    this.banner = quiet ? null : { news: words, big: !!big };
    if (scene?.asks) this.call();
    else if (this.isTapped(beat)) this.waits = true;
    else this.timer = setTimeout(() => this.next(), ms);
  }

  /** Something waits for the player, who may look elsewhere. */
  private call(): void {
    this.called = true;
    this.plays(false); // the table need not wait for who is to move anyway
    if (this.loud) playAll(["turn"]);
  }

  /** Whether somebody who likes to tap decides when to go on. */
  private isTapped({ frame, news, telling }: Beat): boolean {
    const own = frame.scene?.move.by === frame.seat && !this.shared && !telling.shared;
    const tells = news.length > 0 && (!telling.quiet || !!telling.shared) && !own;
    return prefs.pace === "tap" && tells;
  }

  private long({ frame, ms, news }: Beat): number {
    const { newest } = this;
    const mine = newest && newest.seat !== null && newest.legal[String(newest.seat)];
    const about = (frame.scene?.move.by ?? null) === frame.seat || concerns(news, frame.seat);
    const hurries = mine && !about && !frame.scene?.lead && !this.shared;
    return pace.ms(ms) * (hurries ? hurried : 1);
  }

  /** Nothing more is to be told: show how things stand. */
  private rest(frame: Frame): void {
    const before = this.shown;
    this.told = this.story;
    this.shown = { ...frame, scene: null };
    if (this.isBusy) this.plays((this.isBusy = false));
    const known = this.called || this.goesOn;
    if (this.loud) playAll(stands(frame, before).filter((it) => it !== "turn" || !known));
    this.called = this.goesOn = false;
  }

  private tell(news: readonly News[]): void {
    if (!news.length) return;
    this.told = stillTold([...this.told, ...news]);
    this.saying = { news, nth: this.saying.nth + 1 };
    const sounds = this.parts()?.sounds ?? {};
    if (!this.loud) return;
    playAll([...new Set(news.flatMap(({ key }): Sound[] => (sounds[key] ? [sounds[key]] : [])))]);
    if (this.shown?.seat != null && concerns(news, this.shown.seat)) feel(shaken);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.banner = null;
    this.waits = false;
  }
}

/** A frame while something is told: nothing is to be decided, and nothing of the end is known. */
function during(
  frame: Frame,
  before: Frame,
  shown: { view: unknown; news: News[]; scene: Scene },
): Frame {
  const { scores } = before;
  const rest = { legal: {}, clocks: {}, over: false, winners: [], ranking: [], steps: [] };
  return { ...frame, ...rest, scores, story: null, ...shown };
}

/** What is heard when all is told: the end, or one's own turn. */
function stands(frame: Frame, before: Frame | null): Sound[] {
  if (!before) return [];
  const me = frame.seat === null ? "" : String(frame.seat);
  if (frame.over) {
    if (before.over) return [];
    return [(frame.winners as number[]).includes(frame.seat ?? -1) ? "win" : "end"];
  }
  return frame.legal[me] && !before.legal[me] ? ["turn"] : [];
}

/** Whether news speak of a seat. */
function concerns(news: readonly News[], seat: number | null): boolean {
  const names = (field: Field): boolean => {
    if (typeof field !== "object") return false;
    if (Array.isArray(field)) return field.some(names);
    if ("seat" in field) return field.seat === seat;
    return "word" in field && Object.values(field.fields ?? {}).some(names);
  };
  return seat !== null && news.some(({ fields }) => Object.values(fields ?? {}).some(names));
}

// What a player may do now, and what they have chosen so far.

import type { Frame, Live } from "../../lib/live.svelte";
import { prefs } from "../../lib/prefs.svelte";
import { nameOf } from "../../lib/story";
import { labelled, number } from "../../lib/words";
import type { Kind } from "./travel";
import type { Forced, Keep, Steal, Take, View } from "./wire";
import { tell } from "./words";

type Move = Take | Steal | Keep | Forced;
export const kinds = ["sushi", "bones"] as const;

/** What is pressed in the very moment that the table changes was meant for what lay there before. */
const calm = 300; // ms
const few = 2; // more claims than these are not named one by one: they glow

const worth = (kind: Kind, value: number | null | undefined) =>
  `${tell(kind, { n: 1 })} ${typeof value === "number" ? number(value) : ""}`.trim();

/** Another roll, another name. */
function nameOfRoll({ turn, dice, rows, piles }: View): string {
  const high = piles.map((pile) => `${pile.sushi.length}.${pile.bones.length}`);
  return [turn, dice.rolls_left, rows.sushi.length, rows.bones.length, ...high].join("/");
}

export class Turn {
  /** A pile of which several tiles can be had: which? */
  asking = $state.raw<{ kind: Kind; from: number } | null>(null);
  private hint = $state.raw({ roll: "", text: "" });
  private chosen = $state.raw<{ roll: string; dice: number[] }>({ roll: "", dice: [] });
  /** What was tapped once and wants a second tap. */
  private tapped = $state.raw({ roll: "", what: "" });
  private changed = 0;
  private pressed = 0;
  private clicked = 0;
  private answered = 0; // when the frame came that our last move answers; its tiles are past

  constructor(
    private readonly live: () => Live,
    private readonly frame: () => Frame,
  ) {}

  readonly view = $derived.by(() => this.frame().view as View);
  readonly me = $derived.by(() => this.frame().seat);
  readonly roll = $derived.by(() => nameOfRoll(this.view));
  /** The first roll of one's own turn lies hidden in the wok until it is shaken or tapped. */
  readonly hidden = $derived.by(() => !!this.frame().scene?.asks);
  private readonly legal = $derived.by(
    () => (this.me === null ? [] : (this.frame().legal[String(this.me)] ?? [])) as Move[],
  );
  readonly mine = $derived.by(() => this.legal.length > 0);
  readonly forced = $derived.by(() => this.legal.some((move) => move.do === "forced"));
  readonly canRoll = $derived.by(() => this.legal.some((move) => move.do === "keep"));
  readonly kept = $derived.by(() => (this.chosen.roll === this.roll ? this.chosen.dice : []));
  readonly picked = $derived.by(() => (this.tapped.roll === this.roll ? this.tapped.what : ""));
  /** The others, in the order in which they play after me. */
  readonly others = $derived.by(() => {
    const { piles } = this.view;
    const first = this.me === null ? 0 : this.me + 1;
    return piles.map((_, i) => (first + i) % piles.length).filter((seat) => seat !== this.me);
  });
  private readonly claims = $derived.by(() => [
    ...kinds.filter(this.takes).map((kind) => worth(kind, this.valueOf(kind))),
    ...this.others.flatMap((seat) =>
      kinds
        .filter((kind) => this.depths(kind, seat).length)
        .map((kind) => {
          const deed = worth(kind, this.topOf(kind, seat));
          return labelled(nameOf(this.frame(), seat), deed);
        }),
    ),
  ]);
  /** What the cock says to who decides. */
  readonly advice = $derived.by(() => {
    const n = this.view.dice.rolls_left;
    if (this.hint.roll === this.roll && this.hint.text) return this.hint.text;
    if (this.forced) return `${tell("forcedTitle")} ${tell("forcedWhy")}`;
    return this.claims.length > few ? `${this.brief} ${tell("rollsLeft", { n })}` : this.choices;
  });
  /** The same for whoever listens: nobody hears what glows. */
  readonly spoken = $derived.by(() => {
    const told = this.forced || (this.hint.roll === this.roll && this.hint.text);
    return told ? this.advice : this.choices;
  });
  /** All that can be done, by name. */
  private readonly choices = $derived.by(() => {
    const n = this.view.dice.rolls_left;
    const what = this.claims.join(" · ");
    if (!this.canRoll) return tell("mustTake", { what });
    return what ? tell("takeOrKeep", { what, n }) : tell("keepHint", { n });
  });
  /** The same where there is little room. */
  readonly brief = $derived.by(() => {
    if (this.hint.roll === this.roll && this.hint.text) return this.hint.text;
    if (this.forced) return tell("forcedTitle");
    if (!this.canRoll) return tell("short.take");
    return tell(this.claims.length ? "short.takeOrKeep" : "short.keep");
  });

  aims = (kind: Kind): number => {
    const { aside, rolled } = this.view.dice;
    return [...aside, ...rolled].filter((face) => face === kind).length;
  };
  takes = (kind: Kind): boolean =>
    this.legal.some((move) => move.do === "take" && move.row === kind);
  depths = (kind: Kind, from: number): number[] =>
    this.legal.flatMap((move) =>
      move.do === "steal" && move.pile === kind && move.from === from ? [move.depth ?? 1] : [],
    );
  private valueOf = (kind: Kind) => this.view.rows[kind][this.aims(kind) - 1];
  private topOf = (kind: Kind, seat: number) => this.view.piles[seat]?.[kind].at(-1);

  /** Note that the table has changed under the player's fingers. */
  change(): void {
    this.changed = performance.now();
  }
  press = (event: Event) => (this.pressed = event.timeStamp);
  click = (event: MouseEvent) => (this.clicked = event.detail ? this.pressed : event.timeStamp);
  /** A key is pressed when it is pressed. */
  type = (event: Event) => (this.clicked = event.timeStamp);

  /** Let the dice out of the wok. */
  letOut = (): void => this.live().scenes.goOn();
  keep = (at: number, wanted: boolean): void => {
    const rest = this.kept.filter((die) => die !== at);
    this.chosen = { roll: this.roll, dice: wanted ? [...rest, at] : rest };
    this.tapped = { roll: "", what: "" };
  };
  /** Dice chosen from this very roll are no accident, however quickly. */
  rollOn = (): void => {
    const dice = this.kept.flatMap((at) => this.view.dice.rolled[at] ?? []);
    if (!dice.length) this.ask({ do: "keep", dice });
    else if (!this.busy()) this.submit({ do: "keep", dice });
  };
  pick = (row: Kind, place: number): void => {
    const n = this.aims(row);
    if (!this.takes(row)) this.ask({ do: "take", row });
    else if (place !== n) this.say(tell("pointsAt", { n }));
    else this.sure(row, worth(row, this.valueOf(row)), { do: "take", row });
  };
  pickPile = (pile: Kind, from: number): void => {
    const found = this.depths(pile, from);
    const [depth = 1] = found;
    const move: Steal = { do: "steal", pile, from, depth };
    if (!found.length) this.ask(move);
    else if (found.length === 1)
      this.sure(`${from}-${pile}`, worth(pile, this.topOf(pile, from)), move);
    else if (!this.hasty()) this.asking = { kind: pile, from };
  };
  steal = (depth: number): void => {
    if (this.asking)
      this.send({ do: "steal", pile: this.asking.kind, from: this.asking.from, depth });
  };
  giveIn = (): void => this.sure("forced", "", { do: "forced" });
  /** Why not? The server says it. */
  whyNoDie = (): void => this.ask({ do: "keep", dice: [] });

  /** A tap that cannot be taken back asks for a second one where the player wants that. */
  private sure(what: string, tile: string, move: Move): void {
    if (!prefs.sure || this.picked === what) return this.send(move);
    if (this.hasty()) return;
    this.tapped = { roll: this.roll, what };
    this.say(tile ? tell("tapAgain", { tile }) : tell("again_forced"));
  }
  private say(text: string): void {
    this.hint = { roll: this.roll, text };
  }
  private send(move: Move): void {
    if (this.hasty()) return;
    this.asking = null;
    this.submit(move);
  }
  private submit(move: Move): void {
    this.say("");
    this.tapped = { roll: "", what: "" };
    this.answered = this.frame().now;
    this.live().move(move);
  }
  private ask(move: Move): void {
    if (this.me !== null && !this.frame().scene && !this.hasty()) this.live().ask(move);
  }
  private busy(): boolean {
    const { refused, status } = this.live();
    return this.answered === this.frame().now && !refused && status === "open";
  }
  private hasty(): boolean {
    return this.busy() || this.clicked < this.changed + calm;
  }
}

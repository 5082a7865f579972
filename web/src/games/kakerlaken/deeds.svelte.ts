// What somebody may do now, and how it is done: at once, and with the time at which the touch or key began.

import type { Frame, Live } from "../../lib/live.svelte";
import { Race, raceOf } from "../../lib/race.svelte";
import { play } from "../../lib/sound";
import { Hand } from "./Hand.svelte";
import { isCalm } from "./telling";
import type { Give, Grab, Name, Pass, Slap, View } from "./wire";

type Move = Slap | Grab | Name | Pass | Give;
const squeakMs = 500;

export class Deeds {
  readonly race = new Race();
  readonly hand = new Hand();
  /** Whether one squeezes the master right now. */
  squeezed = $state(false);
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** Which dice were drawn last, and when. */
  private drawn = { dice: "", at: 0 };

  constructor(
    private readonly live: () => Live,
    private readonly frame: () => Frame,
  ) {}

  readonly view = $derived.by(() => this.frame().view as View);
  readonly me = $derived.by(() => this.frame().seat);
  /** Without a clock everybody decides in peace, then all is shown. */
  readonly calm = $derived.by(() => isCalm(this.frame()));
  /** The name of the race whose dice are to be seen. */
  readonly showAt = $derived.by(() => raceOf(this.frame()));
  /** Whether the dice of this roll are seen. */
  readonly open = $derived.by(() =>
    this.calm
      ? this.view.roll !== null && !this.frame().over
      : this.showAt !== null && this.race.seen === this.showAt,
  );
  /** The dice as they fall, by the name of their roll; those of a game that is over are only looked at. */
  readonly fallen = $derived.by(() => {
    const { roll, roller } = this.view;
    return this.open && roll && !this.frame().over ? [this.showAt ?? roller, ...roll].join() : "";
  });
  private readonly legal = $derived.by(
    () => (this.me === null ? [] : (this.frame().legal[String(this.me)] ?? [])) as Move[],
  );
  readonly acts = $derived.by(() => this.open && this.hand.held === null && this.may("grab"));
  readonly names = $derived.by(() => this.open && this.may("name"));
  readonly gives = $derived.by(() => this.may("give"));
  readonly passes = $derived.by(() => this.open && this.may("pass"));

  private may(deed: Move["do"]): boolean {
    return this.legal.some((move) => move.do === deed);
  }

  slap(tile: Slap["tile"], event: Event): void {
    if (!this.acts) return this.askWhy({ do: "slap", tile });
    if (!this.sees(event)) return;
    play("slap");
    this.live().move({ do: "slap", tile, ...this.at(event) });
  }
  grab(squeak: boolean, event: Event): void {
    if (!this.acts) return this.askWhy({ do: "grab", squeak });
    if (!this.sees(event)) return;
    if (squeak) this.squeeze();
    this.live().move({ do: "grab", squeak, ...this.at(event) });
  }
  name(thief: Name["thief"], event: Event): void {
    if (this.names) this.live().move({ do: "name", thief, ...this.at(event) });
    else this.askWhy({ do: "name", thief });
  }
  pass(): void {
    if (this.passes) this.live().move({ do: "pass" });
    else this.askWhy({ do: "pass" });
  }
  give(tile: Give["tile"]): void {
    if (!this.live().waits) this.live().move({ do: "give", tile });
  }
  /** Note that the dice are drawn. */
  draw(): void {
    this.drawn = { dice: this.fallen, at: performance.now() };
  }
  rest(): void {
    clearTimeout(this.resting);
    this.hand.free();
  }

  private squeeze(): void {
    play("squeak");
    this.squeezed = true;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => (this.squeezed = false), squeakMs);
  }
  /** Whether a touch is meant for these dice: the one that went on from the last race is not. */
  private sees(event: Event): boolean {
    if (!this.calm) return this.race.sees(event);
    return this.drawn.dice === this.fallen && event.timeStamp >= this.drawn.at;
  }
  private at(event: Event): { at?: number } {
    return this.calm ? {} : { at: this.race.at(event) };
  }
  /** The server says why not; there is nothing to ask before the dice are seen or of a held hand. */
  private askWhy(move: Move): void {
    const unseen = this.showAt !== null && !this.open;
    const told = this.frame().scene; // what is being told is no time to ask
    if (this.me === null || unseen || told || this.hand.held !== null) return;
    this.live().ask(this.calm ? move : { ...move, at: 0 });
  }
}

// A hand that was quicker than eyes can be is held for a moment, and everybody may see why nothing happens.

export class Hand {
  /** For how long it is held, in ms; null is a free hand. */
  held = $state<number | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Hold it; only the server does so, taps do not make it longer. */
  hold(ms: number): void {
    clearTimeout(this.timer);
    this.held = ms;
    this.timer = setTimeout(() => (this.held = null), ms);
  }

  free(): void {
    clearTimeout(this.timer);
    this.held = null;
  }
}

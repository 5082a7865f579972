// What is shown when a game is over: the result, the coach, the game once more.

/** How long the last scene stays before the result covers it, in ms. */
const lastScene = { here: 3500, bigScreen: 7000 };

export class Ending {
  result = $state(false);
  /** The big screen shows the result itself, and all about it on request. */
  more = $state(false);
  coach = $state(false);
  /** The move from which the game is watched again. */
  again = $state<number | null>(null);
  private running = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Hear whether the game is over; who was not there to see its last scene sees the result at once. */
  hear(over: boolean, watching: boolean): () => void {
    if (over) {
      const wait = watching ? lastScene.bigScreen : lastScene.here;
      this.timer = setTimeout(this.show, this.running ? wait : 0);
    } else {
      this.running = true;
      this.result = this.coach = false;
      this.again = null;
    }
    return () => clearTimeout(this.timer);
  }

  /** Show the result, once: who did not wait has seen it. */
  show = (): void => {
    clearTimeout(this.timer);
    this.result = true;
  };
  close(watching: boolean): void {
    this.result = watching;
    this.more = false;
  }
}

// Putting the page among the apps of a device: the browser says when it can.

interface Asking extends Event {
  prompt(): Promise<unknown>;
}

class Install {
  private asking = $state.raw<Asking | null>(null);

  constructor() {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault(); // we ask where it is wanted, not over a game
      this.asking = event as Asking;
    });
    addEventListener("appinstalled", () => (this.asking = null));
  }
  get canAsk(): boolean {
    return this.asking !== null;
  }
  /** On an iPhone people do it themselves. */
  get byHand(): boolean {
    return (navigator as { standalone?: boolean }).standalone === false;
  }
  async ask(): Promise<void> {
    const { asking } = this;
    this.asking = null; // it may be asked once
    await asking?.prompt();
  }
}

export const install = new Install();

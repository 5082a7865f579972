// Settings follow a profile: what was set last, on whatever device, is so on all of them.

import { me } from "./me";
import { prefs } from "./prefs.svelte";

const patience = 1500;
type Told = { settings: object; settings_at: number };

class Follow {
  private login = "";
  private shown = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stop: (() => void) | undefined;

  /** Follow the profile for which this device speaks now. */
  begin(): void {
    if (!prefs.login || this.login === prefs.login) return;
    this.login = prefs.login;
    void this.meet();
  }
  /** See what was set elsewhere, then look at what is set here. */
  private async meet(): Promise<void> {
    try {
      this.take(await me.get());
    } catch {
      this.login = ""; // next time, then
      return;
    }
    this.stop?.();
    this.stop = $effect.root(() => {
      $effect(() => this.look(JSON.stringify(prefs.settings)));
    });
  }
  private take({ settings, settings_at }: Told): void {
    if (settings_at > prefs.settingsAt) {
      prefs.adopt(settings);
      prefs.setSettingsAt(settings_at);
      this.shown = JSON.stringify(prefs.settings);
    } else if (settings_at < prefs.settingsAt) void this.send();
    else this.shown ||= JSON.stringify(prefs.settings);
  }
  /** What is chosen on this device is told after a moment. */
  private look(now: string): void {
    if (!prefs.login) return this.rest();
    if (now === this.shown) return;
    // a clock that is behind must not lose to what this device has seen before
    prefs.setSettingsAt(Math.max(Date.now(), prefs.settingsAt + 1));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), patience);
    this.shown = now;
  }
  private async send(): Promise<void> {
    this.shown = JSON.stringify(prefs.settings);
    try {
      const kept = await me.settings(prefs.settings, prefs.settingsAt);
      if (kept.settings_at > prefs.settingsAt) this.take(kept);
      else prefs.setSettingsAt(kept.settings_at); // the server's clock counts
    } catch {
      // the next choice, or the next start, tells it
    }
  }
  private rest(): void {
    clearTimeout(this.timer);
    this.stop?.();
    this.stop = undefined;
    this.login = this.shown = "";
  }
}

export const follow = new Follow();

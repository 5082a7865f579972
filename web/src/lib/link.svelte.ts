// The address that friends need: not this computer's own name for itself, where the server has another.

import { api } from "./api";

export const isOwnName = (host: string) => /^(localhost|127\..*|\[::1\])$/.test(host);

class Link {
  private origin = $state(location.origin);

  constructor() {
    if (!isOwnName(location.hostname)) return;
    api.address().then(
      ({ near }) => (this.origin = near[0] ?? this.origin),
      () => {},
    );
  }
  /** Whether other devices cannot come this way. */
  get onlyHere(): boolean {
    return isOwnName(new URL(this.origin).hostname);
  }
  to(table: string): string {
    return `${this.origin}/t/${table}`;
  }
}

export const link = new Link();

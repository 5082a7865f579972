// The address that friends need: not this computer's own name for itself, where the server has another.

import { api } from "./api";
import { base, href, isSite } from "./site";

export const isOwnName = (host: string) => /^(localhost|127\..*|\[::1\])$/.test(host);

class Link {
  private origin = $state(location.origin);

  constructor() {
    if (isSite || !isOwnName(location.hostname)) return;
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
    return this.at(`/t/${table}`);
  }
  /** A page of this server, as other devices reach it. */
  at(path: string): string {
    return isSite ? base + href(path) : this.origin + path;
  }
  /** A finished game, for who has no seat. */
  toGame(table: string, number: number): string {
    return this.at(`/game/${table}/${number}`);
  }
}

export const link = new Link();

// The server's clock as this device knows it: from several pings, the median.

export class Clock {
  private offsets: number[] = [];
  private trips: number[] = [];

  /** Take in a pong: when the ping left, the server's time, and when the pong came; all in ms. */
  add(sent: number, server: number, received: number): void {
    this.offsets = [...this.offsets, server - (sent + received) / 2].slice(-9);
    this.trips = [...this.trips, received - sent].slice(-9);
  }

  get known(): boolean {
    return this.offsets.length > 0;
  }

  /** How far the server's clock is ahead of performance.now(). */
  get offset(): number {
    return median(this.offsets);
  }

  /** The usual round trip. */
  get trip(): number {
    return median(this.trips);
  }

  /** Half of the spread of the round trips: so far off may a time be. */
  get spread(): number {
    return this.trips.length ? (Math.max(...this.trips) - Math.min(...this.trips)) / 2 : 0;
  }

  /** A moment of the server's clock, as performance.now() will count it. */
  here(server: number): number {
    return server - this.offset;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2) return sorted[middle] ?? 0;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** When a deed was done, in ms after the dice were seen; an event may not be from the future. */
export function deedTime(eventTime: number, now: number, shownAt: number): number {
  const when = eventTime > 0 && eventTime <= now ? eventTime : now;
  return Math.max(0, Math.round((when - shownAt) * 10) / 10);
}

// Whoever scans an answer with the camera's own app lands in another tab: it hands the answer on to the
// tab with the table.

import { base } from "../lib/site";

const name = `tischlein.near ${base}`;
/** A tab that waits for an answer says so by then, in ms. */
const patience = 1500;

/** Wait for an answer that another tab got; gives what ends the waiting. */
export function awaitHanded(fits: (note: string) => boolean, take: (note: string) => void) {
  const line = new BroadcastChannel(name);
  line.onmessage = ({ data }: MessageEvent<{ note?: string }>) => {
    if (data.note === undefined || !fits(data.note)) return;
    line.postMessage({ taken: data.note });
    take(data.note);
  };
  return () => line.close();
}

/** Hand an answer on; false if no tab has waited for it. */
export async function handOn(note: string): Promise<boolean> {
  const line = new BroadcastChannel(name);
  const taken = new Promise<boolean>((resolve) => {
    line.onmessage = ({ data }: MessageEvent<{ taken?: string }>) =>
      data.taken === note && resolve(true);
    setTimeout(() => resolve(false), patience);
  });
  line.postMessage({ note });
  return taken.finally(() => line.close());
}

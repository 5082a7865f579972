// How far this device is from playing without a network: the page is kept by its worker, and Python
// comes when the device has nothing else to do.

import "../lib/install.svelte"; // it must hear early that the browser can
import { route } from "../lib/route.svelte";
import { base, isSite } from "../lib/site";
import { Getting, keptAt, partsAt } from "./parts";

export type Stage =
  | { kind: "unknown" }
  /** This browser keeps no page: there is no https, or it is a private window. */
  | { kind: "cannot" }
  /** Python has not come: somebody saves data, or a table is open; `size` in bytes. */
  | { kind: "asks"; size: number }
  | { kind: "comes"; done: number; all: number }
  /** There is no room for it, or it cannot be had just now. */
  | { kind: "stuck" }
  | { kind: "ready" };

interface Connection {
  saveData?: boolean;
  type?: string;
}
/** Whoever saves data, or pays for it, is asked first. */
function saves(): boolean {
  const { saveData, type } = (navigator as { connection?: Connection }).connection ?? {};
  return saveData === true || type === "cellular";
}

/** Nobody waits for this device just now. */
const idle = () =>
  new Promise<void>((resolve) =>
    "requestIdleCallback" in globalThis
      ? requestIdleCallback(() => resolve(), { timeout: 10_000 })
      : setTimeout(resolve, 3000),
  );
/** At a table nothing else may take the line or the processor. */
const isFree = () => route.place.screen !== "table" && !document.hidden;

const calm = 2000;

/** Let Python come up before anybody waits for it; it is here, and only this tab's if no other has it. */
const wake = () => import("./here.svelte").then(({ here }) => here.begin());

class Offline {
  stage = $state.raw<Stage>({ kind: "unknown" });
  private begun = false;

  /** Keep the page, and when nothing else is to be done Python, too. */
  async begin(): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    const kept = await keptAt(base);
    if (isSite && kept) void wake(); // whoever opens this page is about to play
    await idle();
    if (!(await this.keepPage())) this.stage = { kind: "cannot" };
    else if (kept) await this.renew();
    else if (saves()) await this.offer();
    else await this.get();
  }

  /** Let Python come now. */
  async get(): Promise<void> {
    if (this.stage.kind === "comes") return;
    this.stage = { kind: "comes", done: 0, all: 1 };
    try {
      const told = (done: number, all: number) => (this.stage = { kind: "comes", done, all });
      const getting = new Getting(base, await partsAt(base), told, "low");
      await getting.all(free);
      this.stage = { kind: "ready" };
    } catch {
      this.stage = { kind: "stuck" };
    }
  }

  /** Python is here; a newer version comes in its place, unseen. */
  private async renew(): Promise<void> {
    this.stage = { kind: "ready" };
    if (saves()) return;
    const getting = await partsAt(base).then((parts) => new Getting(base, parts, () => {}, "low"));
    await getting.all(free).catch(() => {}); // what is here will do until the next time
  }
  private async offer(): Promise<void> {
    const parts = await partsAt(base).catch(() => null);
    const size = Object.values(parts?.files ?? {}).reduce((sum, bytes) => sum + bytes, 0);
    this.stage = parts ? { kind: "asks", size } : { kind: "stuck" };
  }
  private async keepPage(): Promise<boolean> {
    try {
      return await stays(await navigator.serviceWorker.register(new URL("sw.js", base)));
    } catch {
      return false; // without https there is none
    }
  }
}

/** Wait until the page's worker has all files of the page; false if it cannot get them. */
function stays({ active, waiting, installing }: ServiceWorkerRegistration): Promise<boolean> {
  const worker = active ?? waiting ?? installing;
  if (!worker || active) return Promise.resolve(!!active);
  return new Promise((resolve) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(true);
      else if (worker.state === "redundant") resolve(false);
    });
  });
}

/** Wait until nobody plays. */
async function free(): Promise<void> {
  while (!isFree()) await new Promise((resolve) => setTimeout(resolve, calm));
}

export const offline = new Offline();

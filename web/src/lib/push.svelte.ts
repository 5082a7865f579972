// Nudges: this browser is told that it is my turn, with the page closed. It is asked for by a tap, never
// before; all of it is loaded only at slow tables and in the settings.

import type { Nudging, PushKey, WantNudges } from "../wire/frames";
import { call, Problem } from "./api";
import { bytes } from "./passkey";
import { keep, load, prefs, seatsAt } from "./prefs.svelte";
import { base } from "./site";

/** How things stand; what cannot be is said with the reason. */
export type Standing = "unknown" | "secure" | "home" | "cannot" | "blocked" | "off" | "on";

const worker = new URL("sw.js", base).href;
const most = 40;

/** The slow tables at which this device has a seat, the newest first. */
const slowTables = () => load<string[]>("slow", []).filter((table) => seatsAt(table).length);

/** Why this browser cannot be told, if it cannot. */
export function hindrance(): Standing | null {
  if (!isSecureContext) return "secure";
  const can =
    "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
  if (can) return Notification.permission === "denied" ? "blocked" : null;
  const apple = navigator as { standalone?: boolean };
  return apple.standalone === false ? "home" : "cannot";
}

const isSame = (one: ArrayBuffer | null, other: Uint8Array) =>
  !!one && new Uint8Array(one).every((byte, i) => byte === other[i]);

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return await navigator.serviceWorker.getRegistration("/");
}

async function subscribed(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager.getSubscription()) ?? null;
}

/** Let the browser give an address for this house, with the house's own key. */
async function subscribe(): Promise<PushSubscription> {
  const { key } = await call<PushKey>("/api/push");
  const applicationServerKey = bytes(key);
  await navigator.serviceWorker.register(worker);
  const { pushManager } = await navigator.serviceWorker.ready;
  const found = await pushManager.getSubscription();
  if (found && isSame(found.options.applicationServerKey, applicationServerKey)) return found;
  await found?.unsubscribe();
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/** Tell the house where a table's seats are to be told; what is no more is forgotten. */
async function enrol(subscription: PushSubscription, table: string): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const wanted: WantNudges = {
    endpoint: endpoint ?? "",
    p256dh: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
    lang: prefs.language,
  };
  const address = `/api/tables/${encodeURIComponent(table)}/push`;
  for (const { token } of seatsAt(table))
    try {
      await call<Nudging>(address, wanted, token);
    } catch (error) {
      if (!(error instanceof Problem) || ![401, 404, 409].includes(error.status)) throw error;
      keep(
        "slow",
        slowTables().filter((other) => other !== table),
      );
    }
}

class Nudges {
  standing = $state<Standing>("unknown");
  busy = $state(false);
  failed = $state(false);

  constructor() {
    navigator.serviceWorker?.addEventListener("message", () => void this.look());
  }

  /** See how things stand. */
  async look(): Promise<void> {
    const why = hindrance();
    this.standing = why ?? ((await subscribed().catch(() => null)) ? "on" : "off");
  }
  /** Somebody has tapped the switch. */
  async turn(on: boolean): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.failed = false;
    try {
      await (on ? this.on() : this.off());
    } catch {
      this.failed = true;
    }
    await this.look();
    this.busy = false;
  }
  /** A slow table is open on this device: its seats are told, too, and what was told is read. */
  async meet(table: string): Promise<void> {
    const others = slowTables().filter((other) => other !== table);
    keep("slow", [table, ...others].slice(0, most));
    await this.look();
    if (this.standing !== "on") return;
    const told = await (await registration())?.getNotifications({ tag: table });
    for (const notification of told ?? []) notification.close();
    await this.enrolAll([table]);
  }
  /** The language has changed: it counts for what is told, too. */
  async renew(): Promise<void> {
    if (this.standing === "on") await this.enrolAll(slowTables());
  }

  private async on(): Promise<void> {
    if ((await Notification.requestPermission()) !== "granted") return;
    const found = await subscribe();
    for (const table of slowTables()) await enrol(found, table);
  }
  /** Say again where these tables are told; the house may have got another key since. */
  private async enrolAll(tables: string[]): Promise<void> {
    try {
      const found = await subscribe();
      for (const table of tables) await enrol(found, table);
    } catch {
      // next time, then
    }
  }
  /** The house forgets this browser; if it is out of reach, it will hear so from the push service. */
  private async off(): Promise<void> {
    const found = await subscribed();
    if (!found) return;
    await call<Nudging>("/api/push/off", { endpoint: found.endpoint }).catch(() => {});
    await found.unsubscribe();
  }
}

export const nudges = new Nudges();

// Who answers a call: the server, or the house of this device.

import type { Line as OwnLine } from "../here/calls";
import { standing } from "../here/standing.svelte";
import { isNear } from "../near/tables";
import { keep, seatsAt } from "./prefs.svelte";
import { base, isHere, isSite } from "./site";

/** What a page without a server answers itself, or could. */
const anywhere = /^\/api\/(games(\/|$)|tables$)/;
const table = /^\/api\/tables\/([^/?]+)/;

/** The words of a game of one file, which a site has as files, too. */
const words = /^\/api\/games\/(\w+)\/words\?lang=(\w+)$/;

/** What is answered in the place of a server that is gone: our own says neither. */
const nobody = [502, 504];

/** How long until a server that was out of reach is looked for again, in ms. */
const calm = 5000;

const house = () => import("../here/here.svelte").then(({ here }) => here);

export async function reach(path: string, init: RequestInit = {}): Promise<Response> {
  const file = isSite && fileOf(path);
  if (file) return fetch(new URL(file, base)); // known without Python
  const name = table.exec(path)?.[1];
  if (name && isNear(name)) return (await import("../near/holder")).fetchNear(name, path, init);
  if (isSite) return (await house()).fetch(path, init);
  if (name && isHere(decodeURIComponent(name))) return reachOwn(name, path, init);
  try {
    const found = await fetch(path, init);
    if (nobody.includes(found.status)) throw new TypeError(`no server: ${found.status}`);
    standing.alone = false;
    return found;
  } catch (problem) {
    // The server is out of reach: what needs none goes on here.
    if (!anywhere.test(path) || !(await canPlay())) throw problem;
    if (!standing.alone) void lookAgain();
    standing.alone = true;
    return (await house()).fetch(path, init);
  }
}

function fileOf(path: string): string | undefined {
  if (path === "/api/games") return "games.json";
  const [, game, language] = words.exec(path) ?? [];
  return game && `games/${game}.${language}.json`;
}

/**
 * A table of a device is asked for there. What is over may be another device's of the same person: the
 * server has its record.
 */
async function reachOwn(name: string, path: string, init: RequestInit): Promise<Response> {
  const own = async () => (await house()).fetch(path, init);
  if (init.method === "POST") return own();
  const isHeld = seatsAt(decodeURIComponent(name)).length > 0;
  const [one, other] = isHeld ? [own, () => fetch(path, init)] : [() => fetch(path, init), own];
  const found = await one().catch(() => null);
  return found?.ok ? found : other().catch((problem: unknown) => found ?? Promise.reject(problem));
}

/** Whether Python is on this device; before that there is only the server. */
async function canPlay(): Promise<boolean> {
  if (standing.now.kind === "ready") return true;
  const { keptAt } = await import("../here/parts");
  return !!(await keptAt(base));
}

/** See whether the server is back. */
async function lookAgain(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, calm));
  while (standing.alone && !(await fetch("/healthz").catch(() => null))?.ok);
  standing.alone = false;
}

/** Ask the house of this device. */
export const reachHere = async (path: string, init?: RequestInit) =>
  (await house()).fetch(path, init);

/** A line to a table: a WebSocket, or one that needs no server. */
export type Line = WebSocket | OwnLine;

/** Open a line to a table. */
export function lineTo(name: string): WebSocket | Promise<Line> {
  const path = `/api/tables/${encodeURIComponent(name)}/live`;
  if (isNear(name)) return import("../near/holder").then(({ lineNear }) => lineNear(name, path));
  if (isHere(name)) {
    keep("here.played", true); // somebody may go on with it elsewhere
    return house().then((here) => here.line(path));
  }
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${path}`);
}

// The house of this device: Python in a worker, with the same rules, bots and tables as on a server.

import type { loadPyodide, PyodideAPI } from "pyodide";
import { Getting, keptAt, partsAt, placeOf, type Parts } from "./parts";
import { Pieces } from "./pieces";
import type { FromWorker, Hindrance, ToWorker } from "./port";

const network = globalThis.fetch.bind(globalThis);
const post = (message: FromWorker) => postMessage(message);
/** Only one tab has the tables of a device. */
const lock = "tischlein";
const home = "/tischlein";

interface Core {
  hear(text: string): void;
  ask(what: string, ...words: string[]): Promise<string>;
}

/** Hands the core what it needs of the page. */
const beginning = `
import sys
sys.path.insert(0, "${home}")
from tischlein.page.start import start
`;

let core: Core | null = null;
let rise: (core: Core) => void = () => {};
/** The core, as soon as it is there. */
const risen = new Promise<Core>((resolve) => (rise = resolve));
const waiting: string[] = [];

const unpacked = (found: Response) =>
  new Response(found.body?.pipeThrough(new DecompressionStream("gzip")), {
    headers: { "content-type": "application/wasm" },
  });

/** Lay our modules where Python finds them: they come as a zip whose files are not packed. */
function lay(python: PyodideAPI, zip: Uint8Array): void {
  const head = new DataView(zip.buffer, zip.byteOffset);
  const text = new TextDecoder();
  for (let at = 0; head.getUint32(at, true) === 0x04034b50;) {
    const name = at + 30;
    const more = name + head.getUint16(at + 26, true);
    const begin = more + head.getUint16(at + 28, true);
    at = begin + head.getUint32(at + 18, true);
    const path = `${home}/${text.decode(zip.subarray(name, more))}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, zip.subarray(begin, at), { canOwn: true });
  }
}

interface Loaded {
  python: PyodideAPI;
  ours: Uint8Array;
  getting: Getting;
}

/** Start the interpreter from the newest parts; where they cannot be had, from those that are kept. */
async function load(base: string): Promise<Loaded> {
  const parts = await partsAt(base);
  try {
    return await loadFrom(base, parts);
  } catch (error) {
    const kept = await keptAt(base);
    if (!kept || kept.version === parts.version) throw error;
    return loadFrom(base, kept);
  }
}

async function loadFrom(base: string, parts: Parts): Promise<Loaded> {
  // What is only put on the shelf later no longer concerns who waits.
  const came = (done: number, all: number) => core ?? post({ kind: "loading", done, all });
  const getting = new Getting(base, parts, came);
  const at = (name: string) => placeOf(base, parts, name);
  const ours = getting.get("tischlein.zip.gz").then((it) => unpacked(it).arrayBuffer());
  ours.catch(() => {}); // it is told below
  // What the interpreter asks for comes from our shelf; it is packed there.
  const own: Record<string, () => Promise<Response>> = {
    [at("pyodide.asm.wasm")]: () => getting.get("pyodide.asm.wasm.gz").then(unpacked),
    [at("python_stdlib.zip")]: () => getting.get("python_stdlib.zip"),
  };
  globalThis.fetch = (what, init) => {
    const url = what instanceof Request ? what.url : String(what);
    return own[url]?.() ?? network(what, init);
  };
  try {
    const interpreter = (await import(/* @vite-ignore */ at("pyodide.mjs"))) as {
      loadPyodide: typeof loadPyodide;
    };
    const python = await interpreter.loadPyodide({
      indexURL: at(""),
      lockFileContents: parts.lock,
      stdLibURL: at("python_stdlib.zip"),
    });
    return { python, ours: new Uint8Array(await ours), getting };
  } finally {
    globalThis.fetch = network;
  }
}

/** What hinders us, by what Python or the browser says. */
function hindrance(error: unknown, loaded: boolean): Hindrance {
  const said = String(error);
  if (said.includes("a newer Tischlein")) return "newer";
  if (said.includes("what was kept cannot be read")) return "broken";
  return loaded ? "trouble" : "absent";
}

/** Where tables are kept; in a browser that keeps nothing one may still play. */
async function shelves(): Promise<Pieces | null> {
  try {
    return await Pieces.open();
  } catch {
    return null;
  }
}

async function begin({ base, games, patient }: Begin, loaded: () => void): Promise<void> {
  const [{ python, ours, getting }, pieces] = await Promise.all([load(base), shelves()]);
  loaded();
  post({ kind: "starting" });
  await pieces?.own();
  const kept = (await pieces?.all()) ?? new Uint8Array();
  lay(python, ours);
  const { memory } = (python as unknown as { _module: { memory: WebAssembly.Memory } })._module;
  python.runPython(beginning);
  const start = python.globals.get("start") as (...args: unknown[]) => Promise<Core>;
  const sources = await Promise.all(games.map((url) => network(url).then((found) => found.text())));
  const kernels = (code: Uint8Array) =>
    new WebAssembly.Instance(new WebAssembly.Module(code as BufferSource), {
      env: { memory, abort: () => undefined },
    }).exports;
  core = await start(
    kernels,
    (text: string) => post({ kind: "told", text }),
    async (changes: Map<number, Uint8Array>, count: number) => pieces?.keep(changes, count),
    kept,
    sources,
    patient,
  );
  rise(core);
  post({ kind: "ready", keeps: !!pieces });
  for (const text of waiting.splice(0)) core.hear(text);
  await getting.all().catch(() => {}); // no room: then it comes anew each time
}

type Begin = ToWorker & { kind: "begin" };

/** Take the tables of this device, as soon as no other tab has them. */
async function take(begun: Begin, by: LockOptions): Promise<void> {
  const held = async (granted: Lock | null) => {
    if (!granted) {
      post({ kind: "elsewhere" });
      return;
    }
    let loaded = false;
    try {
      await begin(begun, () => (loaded = true));
    } catch (error) {
      post({ kind: "failed", why: hindrance(error, loaded), reason: String(error) });
    }
    await new Promise(() => {}); // as long as this worker lives
  };
  try {
    if (!navigator.locks) await held({ name: lock, mode: "exclusive" });
    else await navigator.locks.request(lock, by, held);
  } catch {
    core = null; // somebody else has the tables now: nothing of ours may be written any more
    post({ kind: "taken" });
    close();
  }
}

let first: Begin | null = null;

addEventListener("message", ({ data: message }: MessageEvent<ToWorker>) => {
  switch (message.kind) {
    case "begin":
      first = message;
      void take(message, message.steals ? { steal: true } : { ifAvailable: true });
      break;
    case "take":
      if (first) void take(first, { steal: true });
      break;
    case "hear":
      if (core) core.hear(message.text);
      else waiting.push(message.text);
      break;
    case "ask":
      void risen
        .then((core) => core.ask(message.what, ...message.words))
        .catch((error: unknown) => JSON.stringify({ refused: String(error) }))
        .then((text) => post({ kind: "answered", id: message.id, text }));
      break;
    case "raw":
      void shelves()
        .then((pieces) => pieces?.all())
        .then((data) => post({ kind: "raw", data: data ?? new Uint8Array() }));
      break;
    case "forget":
      core = null;
      void shelves()
        .then((pieces) => pieces?.own().then(() => pieces.keep([], 0)))
        .then(() => post({ kind: "forgotten" }));
      break;
  }
});

// The house of this device: Python in a worker, with the same rules, bots and tables as on a server.

import type { loadPyodide, PyodideAPI } from "pyodide";
import { Pieces } from "./pieces";
import { placeOf, shelfOf, type FromWorker, type Parts, type ToWorker } from "./port";

const network = globalThis.fetch.bind(globalThis);
const post = (message: FromWorker) => postMessage(message);
/** Only one tab has the tables of a device. */
const lock = "tischlein";
const home = "/tischlein";
/** So large the pieces of the database are (`PIECE` in `keeping.py`). */
const piece = 4096;

interface Core {
  hear(text: string): void;
}

/** Unpacks our modules, and hands the core what it needs of the page. */
const beginning = `
import io, lzma, sys, zipfile
zipfile.ZipFile(io.BytesIO(lzma.decompress(packed.to_bytes()))).extractall("${home}")
sys.path.insert(0, "${home}")
from tischlein.page.start import start
`;

let core: Core | null = null;
let python: PyodideAPI | null = null;
const waiting: string[] = [];

/** Get a part of Python: from the browser's shelf, or from beside the page. */
async function part(url: string, parts: Parts, name: string, came: (bytes: number) => void) {
  const shelf = await globalThis.caches?.open(shelfOf(parts)).catch(() => undefined);
  const kept = await shelf?.match(url);
  if (kept) {
    came(parts.files[name] ?? 0);
    return kept;
  }
  const found = await network(url);
  if (!found.ok || !found.body) throw new Error(`${name}: ${found.status}`);
  const counted = found.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, to) {
        came(chunk.length);
        to.enqueue(chunk);
      },
    }),
  );
  const data = await new Response(counted).arrayBuffer();
  const answer = () =>
    new Response(data, { headers: { "content-type": found.headers.get("content-type") ?? "" } });
  await shelf?.put(url, answer()).catch(() => {}); // a full disk: next time it comes anew
  return answer();
}

const unpacked = (found: Response) =>
  new Response(found.body?.pipeThrough(new DecompressionStream("gzip")), {
    headers: { "content-type": "application/wasm" },
  });

async function load(base: string): Promise<{ python: PyodideAPI; packed: Uint8Array }> {
  const found = await network(new URL("python/parts.json", base), { cache: "no-cache" });
  if (!found.ok) throw new Error(`parts: ${found.status}`);
  const parts = (await found.json()) as Parts;
  const all = Object.values(parts.files).reduce((sum, size) => sum + size, 0);
  let done = 0;
  const came = (bytes: number) => {
    done += bytes;
    post({ kind: "loading", done: Math.min(done, all), all });
  };
  const at = (name: string) => placeOf(base, parts, name);
  const get = (name: string) => part(at(name), parts, name, came);
  const ours = get("tischlein.zip.xz").then((answer) => answer.arrayBuffer());
  // What the interpreter asks for comes from our shelf; it is packed there.
  const own: Record<string, () => Promise<Response>> = {
    [at("pyodide.asm.wasm")]: () => get("pyodide.asm.wasm.gz").then(unpacked),
    [at("python_stdlib.zip")]: () => get("python_stdlib.zip"),
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
    return { python, packed: new Uint8Array(await ours) };
  } finally {
    globalThis.fetch = network;
  }
}

async function begin(base: string, games: string[], patient: boolean): Promise<void> {
  const [{ python: loaded, packed }, pieces] = await Promise.all([load(base), Pieces.open()]);
  python = loaded;
  post({ kind: "starting" });
  const kept = await pieces.all();
  python.globals.set("packed", packed);
  const { memory } = (python as unknown as { _module: { memory: WebAssembly.Memory } })._module;
  python.runPython(beginning);
  const start = python.globals.get("start") as (...args: unknown[]) => Promise<Core>;
  const sources = await Promise.all(games.map((url) => network(url).then((found) => found.text())));
  const kernels = (code: Uint8Array) =>
    new WebAssembly.Instance(new WebAssembly.Module(code as BufferSource), {
      env: { memory, abort: () => undefined },
    }).exports;
  try {
    core = await start(
      kernels,
      (text: string) => post({ kind: "told", text }),
      (changes: Map<number, Uint8Array>, count: number) => pieces.keep(changes, count),
      kept,
      sources,
      patient,
    );
  } catch (error) {
    const broken = String(error).includes("what was kept cannot be read");
    post({ kind: "failed", reason: String(error), broken });
    return;
  }
  post({ kind: "ready" });
  for (const text of waiting.splice(0)) core.hear(text);
}

/** Take the tables of this device, as soon as no other tab has them. */
async function take(begun: ToWorker & { kind: "begin" }, by: LockOptions): Promise<void> {
  const held = async (granted: Lock | null) => {
    if (!granted) {
      post({ kind: "elsewhere" });
      return;
    }
    try {
      await begin(begun.base, begun.games, begun.patient);
    } catch (error) {
      post({ kind: "failed", reason: String(error), broken: false });
      return;
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

let first: (ToWorker & { kind: "begin" }) | null = null;

addEventListener("message", ({ data: message }: MessageEvent<ToWorker>) => {
  switch (message.kind) {
    case "begin":
      first = message;
      void take(message, { ifAvailable: true });
      break;
    case "take":
      if (first) void take(first, { steal: true });
      break;
    case "hear":
      if (core) core.hear(message.text);
      else waiting.push(message.text);
      break;
    case "copy":
      void Pieces.open()
        .then((pieces) => pieces.all())
        .then((data) => post({ kind: "copy", data }));
      break;
    case "replace":
      void Pieces.open()
        .then((pieces) => pieces.replace(message.data, piece))
        .then(() => post({ kind: "taken" }));
      break;
    case "forget":
      void Pieces.open()
        .then((pieces) => pieces.keep([], 0))
        .then(() => post({ kind: "taken" }));
      break;
  }
});

// The parts of Python: got from beside the page, and kept on a shelf of the browser's for the next time.

export interface Parts {
  version: string;
  lock: string;
  files: Record<string, number>;
}

/** The network itself: whoever starts the interpreter answers some calls in its place. */
const network = globalThis.fetch.bind(globalThis);
/** The list of parts; on a shelf it says that all of them are there. */
const list = "parts.json";
/** A host that tells nothing of a newer list for so long, in ms, is not there. */
const patience = 4000;

/** Where a part is found. */
export const placeOf = (base: string, { version }: Parts, name: string) =>
  new URL(`python/${version}/${name}`, base).href;
/** All shelves of the page that lies there: others of the same host have their own. */
const shelves = (base: string) => `tischlein-python ${base} `;
const shelfOf = (base: string, { version }: Parts) =>
  globalThis.caches?.open(shelves(base) + version).catch(() => undefined);

const sizeOf = ({ files }: Parts) => Object.values(files).reduce((sum, size) => sum + size, 0);

/** The newest list, as the host has it. */
async function newest(base: string): Promise<Parts> {
  const signal = AbortSignal.timeout(patience);
  const found = await network(new URL(`python/${list}`, base), { cache: "no-cache", signal });
  if (!found.ok) throw new Error(`${list}: ${found.status}`);
  return (await found.json()) as Parts;
}

/** The parts that are all on a shelf, of whatever version. */
export async function keptAt(base: string): Promise<Parts | undefined> {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  for (const name of names.filter((one) => one.startsWith(shelves(base)))) {
    const found = await (await caches.open(name)).match(new URL(`python/${list}`, base));
    if (found) return (await found.json()) as Parts;
  }
  return undefined;
}

/** Which parts to take: the newest there are, or without a network those that are kept. */
export async function partsAt(base: string): Promise<Parts> {
  try {
    return await newest(base);
  } catch (problem) {
    const kept = await keptAt(base);
    if (kept) return kept;
    throw problem;
  }
}

/** Says how many bytes are here, of how many. */
export type Came = (done: number, all: number) => void;

/** Gets parts one by one, each once, and keeps them. */
export class Getting {
  /** Whether the disk had no room for a part. */
  full = false;
  private done = 0;
  private readonly got = new Map<string, Promise<Response>>();

  constructor(
    private readonly base: string,
    readonly parts: Parts,
    private readonly came: Came,
    private readonly priority: RequestPriority = "auto",
  ) {}

  /** A part, from the shelf or from its host. */
  async get(name: string): Promise<Response> {
    const found = this.got.get(name) ?? this.fetch(name);
    this.got.set(name, found);
    return (await found).clone();
  }
  /** See that all parts are on the shelf; what older versions were made of is thrown away. */
  async all(free: () => Promise<void> = async () => {}): Promise<void> {
    for (const name of Object.keys(this.parts.files)) {
      await free();
      await this.keep(name);
    }
    const shelf = await shelfOf(this.base, this.parts);
    if (this.full || !shelf) throw new Error("there is no room for it");
    await shelf.put(new URL(`python/${list}`, this.base), Response.json(this.parts));
    const own = shelves(this.base);
    for (const name of (await globalThis.caches?.keys()) ?? [])
      if (name.startsWith(own) && name !== own + this.parts.version) await caches.delete(name);
  }

  /** See that a part is on the shelf, whoever has got it meanwhile. */
  private async keep(name: string): Promise<void> {
    await this.get(name);
    this.got.delete(name); // its bytes need not stay in memory
  }
  private async fetch(name: string): Promise<Response> {
    const url = placeOf(this.base, this.parts, name);
    const shelf = await shelfOf(this.base, this.parts);
    const kept = await shelf?.match(url);
    if (kept) {
      this.done += this.parts.files[name] ?? 0; // it was here: nothing comes
      return kept;
    }
    const found = await network(url, { priority: this.priority });
    if (!found.ok || !found.body) throw new Error(`${name}: ${found.status}`);
    const counted = found.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, to) => {
          this.count(chunk.length);
          to.enqueue(chunk);
        },
      }),
    );
    const data = await new Response(counted).arrayBuffer();
    if (data.byteLength !== this.parts.files[name]) throw new Error(`${name} is not whole`);
    const type = { "content-type": found.headers.get("content-type") ?? "" };
    const answer = () => new Response(data, { headers: type });
    await shelf?.put(url, answer()).catch(() => (this.full = true)); // next time it comes anew
    return answer();
  }
  private count(bytes: number): void {
    const all = sizeOf(this.parts);
    this.done = Math.min(this.done + bytes, all);
    this.came(this.done, all);
  }
}

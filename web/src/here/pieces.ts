// Where the tables of this device are kept: the pieces of their database, in the browser's own store.
// Pieces are written all together or not at all, and are there after a crash.

const name = "tischlein";
const size = "size";

const asked = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's store failed"));
  });

export class Pieces {
  private constructor(private readonly db: IDBDatabase) {}

  static async open(): Promise<Pieces> {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("pieces");
    return new Pieces(await asked(opening));
  }

  /** Give all that is kept, in one. */
  async all(): Promise<Uint8Array> {
    const pieces = this.db.transaction("pieces").objectStore("pieces");
    const [count, found] = await Promise.all([
      asked<number | undefined>(pieces.get(size)),
      asked<Uint8Array[]>(pieces.getAll(IDBKeyRange.bound(0, Infinity))),
    ]);
    const whole = found.slice(0, count ?? 0);
    const data = new Uint8Array(whole.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of whole) {
      data.set(piece, at);
      at += piece.length;
    }
    return data;
  }

  /** Keep what has changed; it is there when this ends. */
  keep(changes: Iterable<[number, Uint8Array]>, count: number): Promise<void> {
    return this.write((pieces) => {
      for (const [number, piece] of changes) pieces.put(piece, number);
      pieces.delete(IDBKeyRange.lowerBound(count));
      pieces.put(count, size);
    });
  }

  /** Begin with other data. */
  replace(data: Uint8Array, piece: number): Promise<void> {
    const all: [number, Uint8Array][] = [];
    for (let at = 0; at < data.length; at += piece)
      all.push([at / piece, data.slice(at, at + piece)]);
    return this.keep(all, all.length);
  }

  private write(what: (pieces: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const writing = this.db.transaction("pieces", "readwrite", { durability: "strict" });
      writing.oncomplete = () => resolve();
      writing.onabort = () => reject(writing.error ?? new Error("the browser's store is full"));
      what(writing.objectStore("pieces"));
    });
  }
}

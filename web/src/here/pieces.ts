// Where the tables of this device are kept: the pieces of their database, in the browser's own store.
// Pieces are written all together or not at all, and are there after a crash.

const name = "tischlein";
const size = "size";
const owner = "owner";

const asked = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's store failed"));
  });

export class Pieces {
  private readonly me = crypto.getRandomValues(new Uint32Array(4)).join();
  private constructor(private readonly db: IDBDatabase) {}

  static async open(): Promise<Pieces> {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("pieces");
    return new Pieces(await asked(opening));
  }

  /** From now on only we write: a tab that has not yet heard of it can no longer. */
  own(): Promise<void> {
    return this.write((pieces) => void pieces.put(this.me, owner));
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

  /** Keep what has changed, all or nothing; it is there when this ends. */
  keep(changes: Iterable<[number, Uint8Array]>, count: number): Promise<void> {
    return this.write((pieces) => {
      const writing = pieces.get(owner);
      writing.onsuccess = () => {
        if (writing.result !== this.me) return pieces.transaction.abort(); // it is another tab's now
        for (const [number, piece] of changes) pieces.put(piece, number);
        pieces.delete(IDBKeyRange.bound(count, Infinity)); // numbers only
        pieces.put(count, size);
      };
    });
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

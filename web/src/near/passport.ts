// What shows other phones that this is still the phone with their table: the same certificate each time.

const [name, shelf, key] = ["tischlein-near", "passport", "own"];
const ecdsa = { name: "ECDSA", namedCurve: "P-256", expires: 365 * 86_400_000 };

const asked = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's store failed"));
  });

async function kept(): Promise<RTCCertificate> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(shelf);
  const db = await asked(opening);
  const found = await asked<RTCCertificate | undefined>(
    db.transaction(shelf).objectStore(shelf).get(key),
  );
  const isGood = found instanceof RTCCertificate && found.expires > Date.now() + 86_400_000;
  if (isGood) return found;
  const made = await RTCPeerConnection.generateCertificate(ecdsa);
  await asked(db.transaction(shelf, "readwrite").objectStore(shelf).put(made, key));
  return made;
}

/** Give this phone's own; where the browser keeps none, a new one, and guests are asked if they trust it. */
export const passport = (): Promise<RTCCertificate> =>
  kept().catch(() => RTCPeerConnection.generateCertificate(ecdsa));

// The page was renewed on its host while it was open here: what it would still load is gone.

const last = "tischlein.renewed";
/** So soon after, in ms, another fault is told as it is. */
const calm = 60_000;

/** What this tab has noted for the page that is loaded next. */
export function notedHere(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null; // a browser that keeps nothing
  }
}
/** Note something, or with null no longer; false where that cannot be. */
export function noteHere(name: string, text: string | null): boolean {
  try {
    if (text === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** Load the page anew, once; false if that was just done. */
export function renew(): boolean {
  if (Date.now() - Number(notedHere(last) ?? 0) < calm) return false;
  if (!noteHere(last, String(Date.now()))) return false;
  location.reload();
  return true;
}

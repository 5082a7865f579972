// The page was renewed on its host while it was open here: what it would still load is gone.

const last = "tischlein.renewed";
/** So soon after, in ms, another fault is told as it is. */
const calm = 60_000;

/** Load the page anew, once; false if that was just done. */
export function renew(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(last) ?? 0) < calm) return false;
  sessionStorage.setItem(last, String(Date.now()));
  location.reload();
  return true;
}

// Where this page comes from: a server, or a folder of files on any host, without one.

const said = globalThis.document?.documentElement.dataset; // tests of single functions have no page

/** Whether there is no server: then all tables are of this device. */
export const isSite = said?.["site"] !== undefined;
const here = globalThis.location?.href.replace(/[?#].*$/s, "");
/** The folder in which the page lies. */
export const base = here ? new URL(isSite ? "./" : "/", here).href : "/";

/** Whether a table is of this device: such names begin with 0. */
export const isHere = (table: string) => isSite || table.startsWith("0");

/** The address of a place in the app: on a host of files all of it stands behind `#`. */
export const href = (path: string) => (isSite ? `#${path}` : path);

/** Where the address leads, the same for both: a path, what is asked, and what is marked. */
export function whereabouts({ pathname, search, hash } = location): [string, string, string] {
  if (!isSite) return [pathname, search, hash];
  const [, path = "/", asked = "", marked = ""] = /^#?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(hash) ?? [];
  return [path || "/", asked, marked];
}

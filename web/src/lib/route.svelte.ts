// Which screen the address names: the landing page, a first game, a new table, a table, or a page.

import { href, whereabouts } from "./site";

export type Place =
  | { screen: "landing" }
  | { screen: "new"; game: string }
  | { screen: "learn"; game: string }
  | { screen: "table"; table: string; watch: boolean }
  | { screen: "page"; page: string; rest: string[] };

export function placeOf(path: string, search: string, hash: string): Place {
  const table = /^\/t\/([^/]+)$/.exec(path)?.[1];
  if (table)
    return { screen: "table", table: decodeURIComponent(table), watch: search === "?watch" };
  const [page, ...rest] = path.split("/").slice(1).map(decodeURIComponent);
  if (page) return { screen: "page", page, rest };
  const [, screen, game] = /^#(new|learn)-(.+)$/.exec(hash) ?? [];
  if (!game) return { screen: "landing" };
  return { screen: screen === "new" ? "new" : "learn", game: decodeURIComponent(game) };
}

const now = () => placeOf(...whereabouts());

class Route {
  place = $state.raw<Place>(now());
  /** Where one was before. */
  came = "";

  go(address: string): void {
    const [path, asked] = whereabouts();
    this.came = path + asked;
    history.pushState(null, "", href(address));
    this.place = now();
    window.scrollTo(0, 0);
  }
  /** Go on to another address in place of this one. */
  replace(address: string): void {
    history.replaceState(null, "", href(address));
    this.place = now();
  }
  listen(): void {
    this.place = now(); // the address may have changed while the words came
    addEventListener("popstate", () => (this.place = now()));
  }
}

export const route = new Route();

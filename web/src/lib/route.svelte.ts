// Which screen the address names: the landing page, a new table, or a table.

export type Place =
  | { screen: "landing" }
  | { screen: "new"; game: string }
  | { screen: "table"; table: string; watch: boolean };

export function placeOf(path: string, search: string, hash: string): Place {
  const table = /^\/t\/([^/]+)$/.exec(path)?.[1];
  if (table)
    return { screen: "table", table: decodeURIComponent(table), watch: search === "?watch" };
  const game = /^#new-(.+)$/.exec(hash)?.[1];
  return game ? { screen: "new", game: decodeURIComponent(game) } : { screen: "landing" };
}

const now = () => placeOf(location.pathname, location.search, location.hash);

class Route {
  place = $state.raw<Place>(now());

  go(address: string): void {
    history.pushState(null, "", address);
    this.place = now();
    window.scrollTo(0, 0);
  }
  listen(): void {
    addEventListener("popstate", () => (this.place = now()));
  }
}

export const route = new Route();

// Whose name can be hidden, at a table or in a tournament: what they are called here, and how to change it.

import type { TableInfo } from "../wire/frames";
import { personIn } from "./cast.svelte";
import { hidden } from "./hidden.svelte";
import { isolated, nameAt } from "./story";

export interface Named {
  /** What they are called here. */
  called: string;
  isHidden: boolean;
  hide: () => void;
  show: () => void;
}

/** Somebody at a table; if it belongs to a tournament they are hidden in all of it. */
export function atTable(info: TableInfo, seat: number): Named {
  const { table, cup, seats } = info;
  const name = seats[seat]?.name ?? "";
  return {
    called: nameAt(info, seat),
    isHidden: hidden.at(table, seat, name, cup),
    hide() {
      if (cup) hidden.learn(cup, [table]);
      if (cup) hidden.hideIn(cup, name);
      else hidden.hideAt(table, seat, name);
      hidden.hide(name);
    },
    show() {
      hidden.showAt(table, seat);
      if (cup) hidden.showIn(cup, name);
      hidden.show(name);
    },
  };
}

/** Somebody in a tournament: they are hidden at all of its tables. */
export function inCup(cup: string, member: number, name: string): Named {
  return {
    called: personIn(cup, member, name) ?? isolated(name),
    isHidden: hidden.in(cup, name),
    hide() {
      hidden.hideIn(cup, name);
      hidden.hide(name);
    },
    show() {
      hidden.showIn(cup, name);
      hidden.show(name);
    },
  };
}

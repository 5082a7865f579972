// What mice wear: people by their seats, bots by who they are. Each thing is a list of paths and what fills them.

type Drawn = readonly (readonly [path: string, fill?: string])[];

const ink = "#2b2130";

const hats = {
  cup: [["M17 14c0-8 14-8 14 0Z", "#fff"], ["M15 14h18"]],
  crown: [["m15 14 3-9 6 5 6-5 3 9Z", "#f2b632"]],
  cone: [["M24 4 16 15h16Z", "#c63f2b"]],
  topHat: [["M17 14V4h14v10M13 14h22", ink]],
  bow: [["M24 12c-7-8-12 1-6 3M24 12c7-8 12 1 6 3", "#f08a5d"]],
  cap: [["M14 14c2-9 18-9 20 0l8 1", "#6e9b2f"]],
  toque: [["M16 15V9c-6-1-5-8 1-8 2-4 12-4 14 0 6 0 7 7 1 8v6Z", "#fff"], ["M17 12h14"]],
  beret: [["M11 13C12 3 36 2 38 10c-5 5-20 6-27 3ZM26 4l1-4", "#7a4e93"]],
  straw: [
    ["M16 12c0-10 16-10 16 0Z", "#e8c66a"],
    ["M7 13c7-4 27-4 34 0-7 4-27 4-34 0Z", "#e8c66a"],
  ],
  pot: [["M14 15V4h20v11ZM34 8h6M14 8H8", "#a7b0bb"]],
  sprout: [["M24 14V8c-8 1-10-4-9-7 6 0 9 3 9 7 0-4 3-7 9-7 1 3-1 8-9 7", "#8fbf4d"]],
  scarf: [["M10 18c5-8 23-8 28 0l-2 3c-6-5-18-5-24 0ZM38 18l7-1-4 6Z", "#c63f2b"]],
  propeller: [
    ["M15 14c0-10 18-10 18 0Z", "#2e5aa8"],
    ["M24 6V3C21 0 18 0 15 2c3 3 6 3 9 1 3-3 6-3 9-1-3 3-6 3-9 1", "#f2b632"],
  ],
  mushroom: [["M10 14c0-17 28-17 28 0Z", "#9a6a47"], ["M18 7h.1M26 4h.1M31 10h.1"]],
  scholar: [["M16 15v-4h16v4M7 9 24 2l17 7-17 6Z", "#2e5aa8"], ["M38 10v8"]],
} as const satisfies Record<string, Drawn>;

const things = {
  plaster: [["m27 16 11 5-2.500 5.500-11-5Z", "#fbe8c8"]],
  freckles: [["M13 33h.1M16 35h.1M14 38h.1M35 33h.1M32 35h.1M34 38h.1"]],
  red: [["M9 38c9 7 21 7 30 0l1 4c-9 8-23 8-32 0Zm22 7 5 5 3-5", "#c63f2b"]],
  blue: [["M9 38c9 7 21 7 30 0l1 4c-9 8-23 8-32 0Zm22 7 5 5 3-5", "#2e5aa8"]],
  green: [["M9 38c9 7 21 7 30 0l1 4c-9 8-23 8-32 0Zm22 7 5 5 3-5", "#6e9b2f"]],
  tie: [["m24 44-8-4v8Zm0 0 8-4v8Z", "#7a4e93"]],
  brows: [["m13 22 7 3M35 22l-7 3"]],
  beard: [["M24 37c-3-4-9-3-11 2 4 2 9 1 11-2 2 3 7 4 11 2-2-5-8-6-11-2Z", ink]],
  whitebeard: [["M24 37c-3-4-9-3-11 2 4 2 9 1 11-2 2 3 7 4 11 2-2-5-8-6-11-2Z", "#fff"]],
  glasses: [["M13 28a5 5 0 1 0 10 0 5 5 0 1 0-10 0Zm12 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0Zm-2 0h2"]],
  monocle: [["M24.500 28a5.500 5.500 0 1 0 11 0 5.500 5.500 0 1 0-11 0ZM35 30c3 5 3 9 1 13"]],
} as const satisfies Record<string, Drawn>;

type Hat = keyof typeof hats;
type Thing = keyof typeof things;

const people: readonly Hat[] = [
  ...(["cup", "crown", "cone", "topHat", "bow", "cap"] as const),
  ...(["beret", "straw", "pot", "sprout", "scarf", "propeller", "mushroom"] as const), // in tournaments
];

/** The characters of each level, in the order of their names: a hat, and what else is theirs. */
const bots: Record<string, readonly (readonly [Hat, ...Thing[]])[]> = {
  random: [
    ["cone", "plaster"],
    ["sprout", "plaster"],
    ["pot", "plaster", "freckles"],
    ["propeller", "plaster"],
    ["scarf", "plaster"],
    ["bow", "plaster"],
  ],
  easy: [
    ["cone", "freckles"],
    ["propeller", "freckles"],
    ["straw", "freckles"],
    ["bow", "freckles", "tie"],
    ["sprout", "freckles"],
    ["cap", "freckles"],
  ],
  medium: [
    ["beret", "red"],
    ["straw", "blue"],
    ["cap", "red", "glasses"],
    ["beret", "green"],
    ["sprout", "blue", "glasses"],
    ["straw", "red", "beard"],
  ],
  hard: [
    ["scarf", "brows"],
    ["toque", "brows"],
    ["beret", "brows", "beard"],
    ["scarf", "brows", "beard"],
    ["toque", "brows", "glasses"],
    ["toque", "brows", "tie"],
  ],
  expert: [
    ["scholar", "monocle"],
    ["mushroom", "monocle", "whitebeard"],
    ["scholar", "glasses", "tie"],
    ["topHat", "monocle", "tie"],
    ["mushroom", "glasses"],
    ["scholar", "monocle", "whitebeard"],
  ],
};

/** What somebody wears: people a hat by their seat, a bot what is its own. */
export function worn(seat: number, bot: string | null): Drawn {
  const own = bots[bot ?? ""];
  if (!own) return hats[people[seat % people.length] ?? "cap"];
  const [hat, ...rest] = own[seat % own.length] ?? ["cap"];
  return [...hats[hat], ...rest.flatMap((thing) => [...things[thing]])];
}

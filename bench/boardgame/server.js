// A server of boardgame.io, in memory, with a game of our own to measure it by.
//
// The game is as near to Sushizock for two as a short one comes: five dice rolled up to three
// times, two rows of twelve tiles, piles of which only the top is seen, tiles stolen from them. Its
// rules check each move as ours do. It does less than ours: it lists no legal moves for its players,
// explains no refusal, keeps nothing on disk and proves no dice. Undo, which ours has not, is off.
const { INVALID_MOVE } = require("boardgame.io/core");
const { Server } = require("boardgame.io/server");

const DIE = ["good", "good", "bad", "bad", "blue", "red"];
const ROWS = {
  good: [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
  bad: [-4, -3, -3, -2, -2, -2, -2, -1, -1, -1, -1, -1],
};
const THIEF = { good: "blue", bad: "red" };

const rolled = (random, count) => random.D6(count).map((side) => DIE[side - 1]);
const shown = (G, face) => [...G.dice.aside, ...G.dice.rolled].filter((f) => f === face).length;
const empty = (G) => !G.rows.good.length && !G.rows.bad.length;

function setup({ random }) {
  return {
    rows: { good: random.Shuffle(ROWS.good), bad: random.Shuffle(ROWS.bad) },
    piles: [
      { good: [], bad: [] },
      { good: [], bad: [] },
    ],
    dice: { aside: [], rolled: [], rollsLeft: 0 },
  };
}

function begin({ G, random }) {
  G.dice = { aside: [], rolled: rolled(random, 5), rollsLeft: 2 };
}

function keep({ G, random }, faces) {
  const rest = [...G.dice.rolled];
  for (const face of faces) {
    const at = rest.indexOf(face);
    if (at < 0) return INVALID_MOVE;
    rest.splice(at, 1);
  }
  if (!G.dice.rollsLeft || !faces.length || !rest.length) return INVALID_MOVE;
  G.dice.aside.push(...faces);
  G.dice.rolled = rolled(random, rest.length);
  G.dice.rollsLeft -= 1;
}

function canTake(G, row) {
  const count = shown(G, row);
  return count > 0 && count <= G.rows[row].length;
}

function canSteal(G, victim, pile, depth) {
  const count = shown(G, THIEF[pile]);
  return (
    count >= 3 && depth >= 1 && depth <= G.piles[victim][pile].length && (depth < 2 || count > 3)
  );
}

function claimed({ G, ctx, events }, kind, tile) {
  G.piles[ctx.currentPlayer][kind].push(tile);
  if (!empty(G)) events.endTurn();
}

function take(table, row) {
  const { G } = table;
  if (!(row in ROWS) || !canTake(G, row)) return INVALID_MOVE;
  claimed(table, row, G.rows[row].splice(shown(G, row) - 1, 1)[0]);
}

function steal(table, pile, depth) {
  const { G, ctx } = table;
  const victim = 1 - ctx.currentPlayer;
  if (!(pile in ROWS) || !canSteal(G, victim, pile, depth)) return INVALID_MOVE;
  claimed(table, pile, G.piles[victim][pile].splice(-depth, 1)[0]);
}

function forced(table) {
  const { G, ctx } = table;
  const could = Object.keys(ROWS).some(
    (kind) => canTake(G, kind) || canSteal(G, 1 - ctx.currentPlayer, kind, 1),
  );
  if (could || (G.dice.rollsLeft && G.dice.rolled.length > 1)) return INVALID_MOVE;
  const kind = G.rows.bad.length ? "bad" : "good";
  claimed(table, kind, G.rows[kind].pop());
}

const topOnly = (pile) => pile.map((tile, at) => (at < pile.length - 1 ? null : tile));

const game = {
  name: "portions",
  disableUndo: true,
  minPlayers: 2,
  maxPlayers: 2,
  setup,
  turn: { onBegin: begin },
  moves: { keep, take, steal, forced },
  endIf: ({ G }) => (empty(G) ? { over: true } : undefined),
  playerView: ({ G }) => ({
    ...G,
    piles: G.piles.map(({ good, bad }) => ({ good: topOnly(good), bad: topOnly(bad) })),
  }),
};

// `port` is handed on to Node's `listen` as it is: so we stay on loopback.
Server({ games: [game], origins: [] })
  .run({ port: { host: "127.0.0.1", port: 0 } })
  .then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));

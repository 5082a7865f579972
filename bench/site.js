// Plays whole games with the worker of a page: as quickly as it answers, and without a screen.
(() => {
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      window.worker = this;
      this.addEventListener("message", ({ data }) => hear(data));
    }
  };
  let count = 1e9; // numbers that the page itself never comes to
  const waiting = new Map();

  function hear(data) {
    if (data.kind === "answered") waiting.get(data.id)?.(JSON.parse(data.text));
    if (data.kind !== "told") return;
    const told = JSON.parse(data.text);
    waiting.get(told.id ?? told.line)?.(told);
  }
  const say = (what) => window.worker.postMessage({ kind: "hear", text: JSON.stringify(what) });

  /** Ask the house of the device something that no page does. */
  window.askHouse = (what, ...words) =>
    new Promise((resolve) => {
      const id = ++count;
      waiting.set(id, (found) => (waiting.delete(id), resolve(found)));
      window.worker.postMessage({ kind: "ask", id, what, words: words.map(String) });
    });

  async function call(path, body, token) {
    const id = ++count;
    const headers = { "content-type": "application/json" };
    if (token) headers.authorization = `Bearer ${token}`;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    say({ id, method: "POST", path, headers, body: JSON.stringify(body) });
    const { status, body: text } = await answer;
    waiting.delete(id);
    if (status >= 300) throw new Error(text);
    return JSON.parse(text);
  }

  /** The tile that the dice ask for, the right thief, or whatever is first. */
  function choose({ view, legal }) {
    const [first] = legal[0];
    if (first.at !== undefined || !["slap", "grab", "name"].includes(first.do)) return first;
    const tile = view.circle.find((one) => one.tile === view.roll);
    const at = (view.deeds[0]?.at ?? 200) + 40;
    if (first.do === "name") return { do: "name", thief: tile.thief ?? "ant", at };
    if (tile.owner === null) return { do: "slap", tile: tile.tile, at };
    return { do: "grab", squeak: tile.owner === 0, at };
  }

  /** Play a game with bots to its end. */
  window.playGame = async (game, seats, level) => {
    const others = Array.from({ length: seats - 1 }, (_, i) => [String(i + 1), level]);
    const bots = Object.fromEntries(others);
    const held = await call("/api/tables", { game, seats, name: "Ada", bots });
    await call(`/api/tables/${held.table}/start`, {}, held.token);
    const line = ++count;
    await new Promise((resolve, reject) => {
      let answered = -1;
      waiting.set(line, ({ open, text, close }) => {
        if (open) say({ line, text: JSON.stringify({ type: "hello", token: held.token }) });
        if (close) reject(new Error(`closed: ${close}`));
        const frame = text && JSON.parse(text);
        if (frame?.type === "refused") answered = -1;
        if (frame?.type !== "state") return;
        if (frame.over) return resolve();
        if (!frame.legal[0]?.length || frame.seq === answered) return;
        answered = frame.seq;
        const move = { type: "move", id: `m${++count}`, move: choose(frame) };
        say({ line, text: JSON.stringify(move) });
      });
      say({ line, path: `/api/tables/${held.table}/live` });
    });
    waiting.delete(line);
    say({ line, close: true });
  };
})();

export default import.meta.glob<Record<string, string>>(
  ["../../../src/tischlein/words/en.json", "../../../src/tischlein/games/*/words/en.json"],
  { eager: true, import: "default" },
);

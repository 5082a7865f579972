export default import.meta.glob<Record<string, string>>(
  ["../../../src/tischlein/words/it.json", "../../../src/tischlein/games/*/words/it.json"],
  { eager: true, import: "default" },
);

export default import.meta.glob<Record<string, string>>(
  ["../../../src/tischlein/words/de.json", "../../../src/tischlein/games/*/words/de.json"],
  { eager: true, import: "default" },
);

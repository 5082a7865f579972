export default import.meta.glob<Record<string, string>>(
  ["../../../src/tischlein/words/fr.json", "../../../src/tischlein/games/*/words/fr.json"],
  { eager: true, import: "default" },
);

import { expect, it } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import { tell } from "./words";

it.each([
  ["en", "Bone", "Bones", "1 bone", "2 bones"],
  ["de", "Gräte", "Gräten", "1 Gräte", "2 Gräten"],
  ["fr", "Arête", "Arêtes", "1 arête", "2 arêtes"],
  ["it", "Lisca", "Lische", "1 lisca", "2 lische"],
] as const)("tell one from many: %s", (language, ...words) => {
  prefs.setLanguage(language);
  const told = [
    tell("bones", { n: 1 }),
    tell("bones"),
    tell("bonesMany", { n: 1 }),
    tell("bonesMany", { n: 2 }),
  ];
  prefs.setLanguage("en");
  expect(told).toEqual(words);
});

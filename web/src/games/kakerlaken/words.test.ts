import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { timed } from "../../lib/markdown";
import { languages, prefs, type Language } from "../../lib/prefs.svelte";
import { initials } from "./keys";
import { tell } from "./words";

function inLanguage<T>(language: Language, told: () => T): T {
  prefs.setLanguage(language);
  const found = told();
  prefs.setLanguage("en");
  return found;
}

describe("the times in the rules", () => {
  const times = (language: Language, options: Record<string, unknown>) => {
    const page = readFileSync(`../src/tischlein/games/kakerlaken/rulebook/${language}.md`, "utf8");
    const told = inLanguage(language, () => timed(page, options));
    return [...told.matchAll(/`\w+_ms`\W+([\d.,]*\d)/g)].map((found) => found[1]);
  };

  it.each(languages)("are the usual ones, and those of the table: %s", (language) => {
    expect(times(language, {})).toEqual(["8", "3"]);
    expect(times(language, { race_ms: 12000, young: true })).toEqual(["12", "3"]);
    const half = language === "en" ? "1.5" : "1,5";
    expect(times(language, { naming_ms: 1500 })).toEqual(["8", half]);
  });
});

it.each([
  ["en", "ACRS"],
  ["de", "AKRQ"],
  ["fr", "FCRO"],
  ["it", "FSTQ"],
] as const)("give the keys of a race: %s", (language, keys) => {
  const thieves = ["ant", "cockroach", "rat"] as const;
  const buttons = () => [...thieves.map((thief) => tell(`thief.${thief}`)), tell("squeak")];
  expect(initials(inLanguage(language, buttons)).join("")).toBe(keys);
});

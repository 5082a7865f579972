import type { Language } from "./prefs.svelte";

/** Set apostrophes and French spaces as books have them; the catalogues are typed plainly. */
export function typeset(text: string, language: Language): string {
  if (language === "en" || language === "de") return text;
  const curly = text.replaceAll("'", "’");
  if (language === "it") return curly;
  return curly.replace(/ (?=[!?;»])/g, "\u202f").replace(/ (?=:)|(?<=«) /g, "\u00a0");
}

// Tests speak all languages at once.
import { catalogue } from "./lib/catalogue.svelte";
import { languages } from "./lib/prefs.svelte";

for (const language of languages) await catalogue.learn(language);

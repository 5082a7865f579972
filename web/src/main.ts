import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { catalogue } from "./lib/catalogue.svelte";
import { prefs } from "./lib/prefs.svelte";
import { renew } from "./lib/renew";

addEventListener("vite:preloadError", () => void renew());

const target = document.getElementById("app");
await catalogue.learn(prefs.language);
if (target) mount(App, { target });

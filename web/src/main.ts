import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { catalogue } from "./lib/catalogue.svelte";
import { prefs } from "./lib/prefs.svelte";

// The server was renewed while this page was open: what it would still load is gone.
addEventListener("vite:preloadError", () => {
  const last = Number(sessionStorage.getItem("tischlein.renewed") ?? 0);
  if (Date.now() - last < 60_000) return; // once: another fault is told as it is
  sessionStorage.setItem("tischlein.renewed", String(Date.now()));
  location.reload();
});

const target = document.getElementById("app");
await catalogue.learn(prefs.language);
if (target) mount(App, { target });

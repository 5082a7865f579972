import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const out = "../src/tischlein/server/static";

/** Tell the page's worker which files the page is made of, so that it is whole without a network. */
const listFiles = () => ({
  name: "list-files",
  closeBundle() {
    const assets = readdirSync(join(out, "assets")).map((name) => `assets/${name}`);
    const lone = readdirSync("public").filter((name) => name !== "sw.js");
    const names = ["./", ...lone, ...assets.sort()];
    // What a host may change on its way, such as the page itself and pictures, is of any size.
    const size = (name: string) =>
      name.startsWith("assets/") ? statSync(join(out, name)).size : 0;
    const files = Object.fromEntries(names.map((name) => [name, size(name)]));
    const version = createHash("sha256")
      .update(names.join())
      .update(readFileSync(join(out, "index.html")));
    const list = JSON.stringify({ version: version.digest("hex").slice(0, 16), files });
    const worker = readFileSync("public/sw.js", "utf8");
    writeFileSync(
      join(out, "sw.js"),
      worker.replace('{ version: "", files: {} }', () => list),
    );
  },
});

export default defineConfig({
  base: "./", // the same page lies at the root of a server, or in any folder
  plugins: [svelte(), listFiles()],
  worker: { format: "es" },
  build: {
    outDir: out,
    emptyOutDir: false, // beside it lies Python for the browser; `hatch_build.py` clears the rest
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first page needs anyway comes as one file, not as forty small ones.
    rolldownOptions: {
      checks: { pluginTimings: false }, // a busy machine is no warning
      output: {
        codeSplitting: {
          groups: [{ name: "common", test: /src\/(lib|ui|pictures)\//, minShareCount: 4 }],
        },
      },
    },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } },
  },
  test: {
    include: ["src/**/*.test.ts"],
    setupFiles: ["src/words.setup.ts"],
    // How long a test takes is the machine's affair; these only guard against one that hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/tischlein/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first page needs anyway comes as one file, not as forty small ones.
    rolldownOptions: {
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
  test: { include: ["src/**/*.test.ts"], setupFiles: ["src/words.setup.ts"] },
});

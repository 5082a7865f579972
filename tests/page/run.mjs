// Runs a Python file as the page does: in the browser's Python, with our small numpy.
// node run.mjs ROOT FILE: ROOT is the repository's.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [root, file] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(
  pathToFileURL(`${root}/web/node_modules/pyodide/pyodide.mjs`).href
);
const python = await loadPyodide();
const env = { memory: python._module.memory };
const kernels = await WebAssembly.instantiate(
  await readFile(`${root}/src/tischlein/page/kernels.wasm`),
  { env },
);
python.registerJsModule("tischlein_kernels", kernels.instance.exports);
python.mountNodeFS("/root", root);
try {
  python.runPython(`
import sys
sys.path[:0] = ["/root/src", "/root"]
from tischlein.page import numbers
numbers.install()
`);
  python.runPython(await readFile(file, "utf8"), { filename: file });
} catch (error) {
  console.error(error.message); // and not the whole source of the browser's Python
  process.exitCode = 1;
}

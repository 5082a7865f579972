// Runs a Python file as the page does: in the browser's Python, with our small numpy.
// node run.mjs ROOT FILE [PACKED]: the repository, and an archive of libraries that are needed.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [root, file, packed] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(
  pathToFileURL(`${root}/web/node_modules/pyodide/pyodide.mjs`).href
);
const python = await loadPyodide();
const wasm = await readFile(`${root}/src/tischlein/page/kernels.wasm`);
const env = { memory: python._module.memory };
const { instance } = await WebAssembly.instantiate(wasm, { env });
python.registerJsModule("tischlein_kernels", instance.exports);
python.mountNodeFS("/root", root);
if (packed) python.FS.writeFile("/packed.zip", gunzipSync(await readFile(packed)));
try {
  python.runPython(`
import pathlib, sys, zipfile
sys.path[:0] = ["/root/src", "/root"]
if pathlib.Path("/packed.zip").exists():
    zipfile.ZipFile("/packed.zip").extractall("/packed")
    sys.path.append("/packed")
from tischlein.page import numbers
numbers.install()
`);
  python.runPython(await readFile(file, "utf8"), { filename: file });
} catch (error) {
  console.error(error.message); // and not the whole source of the browser's Python
  process.exitCode = 1;
}

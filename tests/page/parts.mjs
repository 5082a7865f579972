// Tells which of some modules cannot be read from the parts that a site brings.
// node parts.mjs ROOT FOLDER NAMES: the repository, the folder of the parts, and names as JSON.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [root, folder, names] = process.argv.slice(2);
const { loadPyodide } = await import(
  pathToFileURL(`${root}/web/node_modules/pyodide/pyodide.mjs`).href
);
try {
  const python = await loadPyodide({ stdLibURL: `${folder}/python_stdlib.zip` });
  python.FS.writeFile("/ours.zip", gunzipSync(await readFile(`${folder}/tischlein.zip.gz`)));
  const wasm = await readFile(`${root}/src/tischlein/page/kernels.wasm`);
  const env = { memory: python._module.memory };
  const { instance } = await WebAssembly.instantiate(wasm, { env });
  python.registerJsModule("tischlein_kernels", instance.exports);
  python.globals.set("names", names);
  const told = python.runPython(`
import importlib, json, sys, zipfile
zipfile.ZipFile("/ours.zip").extractall("/ours")
sys.path.insert(0, "/ours")
from tischlein.page import absent, numbers
absent.leave_out()
numbers.install()
missing = {}
for name in json.loads(names):
    try:
        importlib.import_module(name)
    except Exception as problem:
        missing[name] = repr(problem)
json.dumps(missing)
`);
  console.log(told);
} catch (error) {
  console.error(error.message); // and not the whole source of the browser's Python
  process.exitCode = 1;
}

// Runs a module of the tests in the Python that a page gets: from the packed parts, as they are.
// node page.mjs PARTS ROOT MODULE [ARGUMENT…]: the parts unpacked, the repository, what to run.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [parts, root, module, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${parts}/pyodide.mjs`).href);
const python = await loadPyodide({
  indexURL: `${parts}/`,
  lockFileContents: await readFile(`${parts}/lock.json`, "utf8"),
  stdLibURL: `${parts}/python_stdlib.zip`,
});
const kernels = (code) =>
  new WebAssembly.Instance(new WebAssembly.Module(code), {
    env: { memory: python._module.memory, abort: () => undefined },
  }).exports;
python.mountNodeFS("/tests", `${root}/tests`);
python.globals.set("packed", new Uint8Array(await readFile(`${parts}/tischlein.zip`)));
python.globals.set("kernels", kernels);
python.globals.set("words", python.toPy([module, ...words]));
try {
  python.runPython(`
import importlib, io, sys, zipfile
sys.dont_write_bytecode = True
zipfile.ZipFile(io.BytesIO(packed.to_bytes())).extractall("/tischlein")
sys.path[:0] = ["/tischlein", "/"]
from tischlein.page.absent import leave_out
from tischlein.page.start import set_up_arrays
leave_out()
set_up_arrays(kernels)
importlib.import_module(words[0]).main(*words[1:])
`);
} catch (error) {
  console.error(error.message); // and not the whole source of the browser's Python
  process.exitCode = 1;
}

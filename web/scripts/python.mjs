// Packs Python for the browser: python.mjs SOURCES OUT. What lies in the folder SOURCES is compiled
// by the same Python that will run it, and zipped; beside it go the interpreter and its library.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";
import { minifySync } from "rolldown/utils";

const [sources, out] = process.argv.slice(2);
const home = dirname(fileURLToPath(import.meta.resolve("pyodide")));

/**
 * Parts of Python's library that are read later or not at all: for numbers, texts and times of games that
 * are one file, and for what Python itself looks up. All else comes only if it is read at the start.
 */
const later =
  "_ast_unparse _pylong _strptime _threading_local calendar colorsys csv graphlib pprint " +
  "string.templatelib pathlib.types importlib.readers importlib.resources._adapters " +
  "importlib.resources._itertools importlib.resources.readers importlib.resources.simple " +
  "pyodide._core pyodide._run_js pyodide.ffi.wrappers encodings.ascii encodings.cp437 encodings.idna " +
  "encodings.latin_1 encodings.punycode encodings.raw_unicode_escape encodings.unicode_escape " +
  "encodings.utf_16 encodings.utf_16_be encodings.utf_16_le encodings.utf_32 encodings.utf_8_sig";

// An error is told without the one long line of the interpreter's that it happened in.
process.on("uncaughtException", (error) => {
  console.error(String(error?.message ?? error));
  process.exit(1);
});

/**
 * Make the interpreter's script smaller. It names each of some thousand functions of the interpreter for
 * scripts beside it, of which there are none: the interpreter's own parts find them without. Texts that it
 * would run as a script are never run, as no page of ours may; so its names can be short.
 */
function smaller(script) {
  const count = new Map();
  for (const [word] of script.matchAll(/[\w$]+/g)) count.set(word, (count.get(word) ?? 0) + 1);
  const unused = new Set();
  const named = /([\w$]+)=Module\["([\w$]+)"\]=wasmExports\["[^"]+"\];/g;
  const declared = /var ([\w$]+(?:,[\w$]+){1000,});/g;
  const without = script
    .replace(named, (all, name, told) => {
      if (name !== told || count.get(name) !== 3) return all;
      unused.add(name);
      return "";
    })
    .replace(declared, (all, list) => {
      const left = list.split(",").filter((name) => !unused.has(name));
      return `var ${left.join(",")};`;
    })
    .replace(/\beval\(/g, "(0,eval)(");
  const { code, errors } = minifySync("pyodide.asm.mjs", without, { module: true });
  if (errors.length || unused.size < 1000) throw new Error("the interpreter's script has changed");
  return Buffer.from(code);
}

// Where an error is, is told by its line: columns would take a tenth of all that is packed.
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" } });
python.FS.mkdirTree("/in");
python.FS.mount(python.FS.filesystems.NODEFS, { root: sources }, "/in");
python.FS.writeFile("/library.zip", readFileSync(join(home, "python_stdlib.zip")));
python.runPython(`
import importlib, io, pathlib, py_compile, sys, zipfile

def entries(folder):
    """List all files below a folder, by their names."""
    return [(path.relative_to(folder), path) for path in sorted(folder.rglob("*")) if path.is_file()]

def compiled(name, path):
    """Compile a module, without what only readers need."""
    made = py_compile.compile(
        str(path), "/made.pyc", str(name), doraise=True, optimize=2,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    return name.with_suffix(".pyc"), pathlib.Path(made).read_bytes()

def zipped(folder, how, wanted=None):
    """Zip a folder, the same way every time, all of it or some modules; these are compiled."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, path in entries(pathlib.Path(folder)):
            if wanted is not None and module_of(name) not in wanted:
                continue
            if path.suffix == ".py":
                name, data = compiled(name, path)
            else:
                data = path.read_bytes()
            archive.writestr(zipfile.ZipInfo(name.as_posix()), data, how, 9)
    return found.getvalue()

def module_of(name):
    """Name the module that a file holds."""
    return ".".join(name.with_suffix("").parts).removesuffix(".__init__")

def library(wanted):
    """Pack Python's library, from which modules are read one by one."""
    return zipped("/library", zipfile.ZIP_DEFLATED, wanted)

def ours():
    """Put our own modules together; the browser unpacks them all at once."""
    return zipped("/in", zipfile.ZIP_STORED)

def read_at_once(together):
    """Read the application as a worker does; tell which modules of the library that takes."""
    zipfile.ZipFile(io.BytesIO(together)).extractall("/out")
    sys.path.insert(0, "/out")
    absent = importlib.import_module("tischlein.page.absent")
    absent.leave_out()
    for name in ("tischlein.page.start", "tischlein.page.core", "tischlein.games.outside"):
        importlib.import_module(name)
    return {name for name, it in sys.modules.items() if not is_built_in(it)} - set(absent.ABSENT)

def is_built_in(module):
    """Say whether the interpreter brings a module itself."""
    return getattr(getattr(module, "__spec__", None), "origin", "") in ("built-in", "frozen")

zipfile.ZipFile("/library.zip").extractall("/library")
`);
const ours = python.globals.get("ours")();
const wanted = python.globals.get("read_at_once")(ours);
for (const name of later.split(" ")) wanted.add(name);

const bytes = (found) => Buffer.from(found.toJs());
const packed = (data) => gzipSync(data, { level: 9 });
const files = {
  "pyodide.mjs": readFileSync(join(home, "pyodide.mjs")),
  "pyodide.asm.mjs": smaller(readFileSync(join(home, "pyodide.asm.mjs"), "utf8")),
  "pyodide.asm.wasm.gz": packed(readFileSync(join(home, "pyodide.asm.wasm"))),
  "python_stdlib.zip": bytes(python.globals.get("library")(wanted)),
  "tischlein.zip.gz": packed(bytes(ours)),
};
// Nothing is ever loaded from elsewhere, so the list of packages is empty.
const { info } = JSON.parse(readFileSync(join(home, "pyodide-lock.json"), "utf8"));
const lock = JSON.stringify({ info, packages: {} });
const hash = createHash("sha256").update(lock);
for (const data of Object.values(files)) hash.update(data);
const version = hash.digest("hex").slice(0, 16);

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, version), { recursive: true });
for (const [name, data] of Object.entries(files)) writeFileSync(join(out, version, name), data);
const sizes = Object.keys(files).map((name) => [name, statSync(join(out, version, name)).size]);
writeFileSync(
  join(out, "parts.json"),
  JSON.stringify({ version, lock, files: Object.fromEntries(sizes) }),
);

// Packs Python for the browser: python.mjs SOURCES OUT. What lies in the folder SOURCES is compiled
// by the same Python that will run it, and zipped; beside it go the interpreter and its library.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const [sources, out] = process.argv.slice(2);
const home = dirname(fileURLToPath(import.meta.resolve("pyodide")));

/** Parts of Python's library that no table needs: they are about terminals, tests, mail and tools. */
const leftOut =
  "_aix_support _pydatetime _pydecimal _pyio _pyrepl antigravity cProfile cmd compileall curses dbm doctest ensurepip ftplib " +
  "difflib idlelib imaplib lib2to3 mailbox multiprocessing optparse pdb pickletools poplib profile " +
  "profiling pstats py_compile pyclbr pydoc pydoc_data smtplib tabnanny tarfile this tkinter tomllib " +
  "trace turtle turtledemo unittest venv webbrowser wsgiref xml xmlrpc zipapp";
const codecs =
  "__init__ aliases ascii cp1252 cp437 idna latin_1 punycode raw_unicode_escape " +
  "undefined unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_8 utf_8_sig hex_codec base64_codec";

// An error is told without the one long line of the interpreter's that it happened in.
process.on("uncaughtException", (error) => {
  console.error(String(error?.message ?? error));
  process.exit(1);
});
const python = await loadPyodide();
python.FS.mkdirTree("/in");
python.FS.mount(python.FS.filesystems.NODEFS, { root: sources }, "/in");
python.FS.writeFile("/library.zip", readFileSync(join(home, "python_stdlib.zip")));
python.runPython(`
import importlib, io, lzma, pathlib, py_compile, sys, zipfile
from js import Uint8Array

AS_WRITTEN = ("anyio",)
"""What reads its own source."""

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

def zipped(folder, how, quick=None, left_out="", codecs=""):
    """Zip a folder, the same way every time; all modules are compiled, or those that are quick."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, path in entries(pathlib.Path(folder)):
            top = name.parts[0].removesuffix(".py")
            codec = top == "encodings" and codecs and name.stem not in codecs.split()
            if (top in left_out.split() or codec) and name.as_posix() not in quick:
                continue
            wanted = name.as_posix() in quick if quick is not None else top not in AS_WRITTEN
            if path.suffix == ".py" and wanted:
                name, data = compiled(name, path)
            else:
                data = path.read_bytes()
            archive.writestr(zipfile.ZipInfo(name.as_posix()), data, how, 9)
    return found.getvalue()

def library(*args):
    """Pack Python's library, from which modules are read one by one."""
    return Uint8Array.new(zipped("/library", zipfile.ZIP_DEFLATED, *args))

def ours():
    """Pack our own modules: unpacked all at once, they may share what they have in common."""
    packed = lzma.compress(zipped("/in", zipfile.ZIP_STORED), preset=9 | lzma.PRESET_EXTREME)
    return Uint8Array.new(packed)

def read_at_once(packed):
    """Read the application as it is packed; tell which modules of the library that takes."""
    zipfile.ZipFile(io.BytesIO(lzma.decompress(packed.to_bytes()))).extractall("/out")
    sys.path.insert(0, "/out")
    for name in ("tischlein.page.core", "tischlein.games.outside"):
        importlib.import_module(name)
    home = "/lib/python314.zip/"
    files = (getattr(module, "__file__", None) or "" for module in sys.modules.values())
    return {file.removeprefix(home) for file in files if file.startswith(home)}

zipfile.ZipFile("/library.zip").extractall("/library")
`);
const ours = python.globals.get("ours")();
const quick = python.globals.get("read_at_once")(ours);

const files = {
  "pyodide.mjs": readFileSync(join(home, "pyodide.mjs")),
  "pyodide.asm.mjs": readFileSync(join(home, "pyodide.asm.mjs")),
  "pyodide.asm.wasm.gz": gzipSync(readFileSync(join(home, "pyodide.asm.wasm")), { level: 9 }),
  "python_stdlib.zip": Buffer.from(python.globals.get("library")(quick, leftOut, codecs)),
  "tischlein.zip.xz": Buffer.from(ours),
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

// Reads schemas from standard input and writes one file of types for each into the given folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";

const note = "// Made from the server's types by scripts/wire-types. Do not edit.\n\n";
// As it comes: on a busy machine a pipe that is read at once may have nothing to read yet.
const schemas = JSON.parse(await text(process.stdin));
for (const [name, schema] of Object.entries(schemas)) {
  const types = await compile(schema, "All", { bannerComment: "", style: { printWidth: 100 } });
  const file = join(process.argv[2], `${name}.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, note + types);
}

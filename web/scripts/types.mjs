// Reads schemas from standard input and writes one file of types for each into the given folder.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile } from "json-schema-to-typescript";

const note = "// Made from the server's types by scripts/wire-types. Do not edit.\n\n";
const schemas = JSON.parse(readFileSync(0, "utf8"));
for (const [name, schema] of Object.entries(schemas)) {
  const text = await compile(schema, "All", { bannerComment: "", style: { printWidth: 100 } });
  const file = join(process.argv[2], `${name}.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, note + text);
}

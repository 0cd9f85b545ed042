/** Runs a program of tools: `node tools/run.mjs NAME ...`. They are TypeScript, bundled into .build first, because Node 20 runs JavaScript only. */
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const [name = "", ...args] = process.argv.slice(2);
// A file for each process: several may run at once.
const file = resolve(".build", `${name}-${process.pid}.js`);
process.on("exit", () => {
  rmSync(file, { force: true });
  rmSync(`${file}.map`, { force: true });
});
const bundle = await rolldown({ input: `tools/${name}.ts`, platform: "node", external: /^[^./]/ });
await bundle.write({ file, codeSplitting: false, sourcemap: true });
await bundle.close();
process.setSourceMapsEnabled(true);
process.argv = [process.execPath, file, ...args];
await import(pathToFileURL(file).href);

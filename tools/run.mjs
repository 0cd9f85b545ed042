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
// Of `tools/mutants.ts`: one protection of the sources is off, in the bundle alone. Its processes inherit the variable.
const mutant = process.env.ARO_HCP_MUTANT === undefined ? undefined : JSON.parse(process.env.ARO_HCP_MUTANT);
const plugins = mutant && [
  {
    name: "mutant",
    transform(code, id) {
      if (!id.endsWith(mutant.file)) return undefined;
      if (!code.includes(mutant.code)) throw new Error(`${mutant.file} does not contain ${mutant.code}`);
      return { code: code.replace(mutant.code, () => mutant.instead), map: null };
    },
  },
];
const bundle = await rolldown({ input: `tools/${name}.ts`, platform: "node", external: /^[^./]/, plugins });
await bundle.write({ file, codeSplitting: false, sourcemap: true });
await bundle.close();
process.setSourceMapsEnabled(true);
process.argv = [process.execPath, file, ...args];
await import(pathToFileURL(file).href);

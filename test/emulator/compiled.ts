/** The emulator as plain JavaScript, for child processes, which the test runner does not transform. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const root = join(import.meta.dirname, "../..");
const sources = join(root, "src/emulator");

/** Writes `source` next to the compiled emulator, so that it imports `./index.js`. Returns the file to run; deleted after the test. */
export function programBeside(source: string): string {
  const { path: directory } = temporaryDirectory();
  for (const file of readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((each) => each.endsWith(".ts"))) {
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true };
    const { outputText } = ts.transpileModule(readFileSync(join(sources, file), "utf8"), { compilerOptions });
    const compiled = join(directory, file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(compiled), { recursive: true });
    writeFileSync(compiled, outputText);
  }
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  const program = join(directory, "program.js");
  writeFileSync(program, source);
  return program;
}

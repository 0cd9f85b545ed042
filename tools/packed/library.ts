/** The libraries of an installation: the examples of the package run as the programs of somebody else, and their types are checked. */
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { Installation } from "./life.js";

/** @throws Error with the end of the output of a program that fails, or with what the compiler says */
export async function useLibraries({ prefix, run }: Installation, folder: string): Promise<void> {
  const modules = path.join(prefix, "lib", "node_modules");
  const programs = path.join(folder, "programs");
  mkdirSync(programs);
  symlinkSync(modules, path.join(programs, "node_modules"));
  const examples = path.join(modules, "aro-hcp", "examples", "library");
  for (const file of readdirSync(examples)) copyFileSync(path.join(examples, file), path.join(programs, file));
  requireTypes(programs);
  await run("node", "--test", path.join(programs, "emulator.test.mjs"));
  await run("env", "ARO_HCP_CLOUD=local", "node", path.join(programs, "create-cluster.mjs"), "library", "x7k2", "hcp.example.com");
}

/** Of these programs and of the published declarations, as strict as it gets. */
function requireTypes(folder: string): void {
  const files = readdirSync(folder).filter((file) => file.endsWith(".mjs"));
  const program = ts.createProgram(
    files.map((file) => path.join(folder, file)),
    {
      allowJs: true,
      checkJs: true,
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: ts.ScriptTarget.ES2023,
      lib: ["lib.esnext.d.ts"],
      module: ts.ModuleKind.NodeNext,
      types: ["node"],
      typeRoots: [path.resolve("node_modules", "@types")],
    },
  );
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${path.basename(file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

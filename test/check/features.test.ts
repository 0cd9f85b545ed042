/** Features can be removed: what remains compiles without their folders and their lines in `src/features.ts`. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = process.cwd();
const registry = path.join(root, "src/features.ts");
const { options, fileNames } = ts.parseJsonConfigFileContent(
  ts.readConfigFile("tsconfig.json", (file) => ts.sys.readFile(file)).config,
  ts.sys,
  root,
);
const sources = fileNames.filter((file) => file.startsWith(path.join(root, "src/")));

const features = readdirSync("src", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "cli" && ts.sys.fileExists(`src/${entry.name}/feature.ts`))
  .map(({ name }) => name);

function isIn(file: string, feature: string): boolean {
  return file.startsWith(path.join(root, "src", feature, "/"));
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** The problems of the program without these folders, one line each. */
function problemsWithout(gone: readonly string[]): readonly string[] {
  const host = ts.createCompilerHost(options);
  const isGone = (file: string) => gone.some((feature) => isIn(file, feature));
  const lines = readFileSync(registry, "utf8").split("\n");
  const imports = lines.filter((line) => gone.some((feature) => line.includes(`"./${feature}/feature.js"`)));
  const names = imports.map((line) => `  ${/\* as (\w+)/.exec(line)?.[1] ?? ""},`);
  const remaining = lines.filter((line) => !imports.includes(line) && !names.includes(line)).join("\n");
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => !isGone(file) && fileExists(file);
  host.getSourceFile = (file, target) => {
    if (file === registry) return ts.createSourceFile(file, remaining, target);
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, target));
    return parsed.get(file);
  };
  const program = ts.createProgram(
    sources.filter((file) => !isGone(file)),
    { ...options, noEmit: true },
    host,
  );
  return program
    .getSourceFiles()
    .filter(({ fileName }) => sources.includes(fileName) && !knowsNoFeature.test(path.relative(root, fileName)))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, messageText }) => `${path.relative(root, file?.fileName ?? "")}: ${firstLine(messageText)}`);
}

/** Of these, lint:boundaries requires it. */
const knowsNoFeature = /^src\/(?:emulator|azure|domain|engine|errors|oidc|render|text)\//;

function firstLine(message: string | ts.DiagnosticMessageChain): string {
  return typeof message === "string" ? message : message.messageText;
}

/** The platform names commands of these: what a hosted cluster consists of. */
const named = ["infra", "identities", "issuer", "encryption-key", "all"];

// Which feature uses which, lint:boundaries holds: to remove all at once finds every other line that names one of them.
test("without the features that the platform does not name, the rest compiles", { timeout: 120_000 }, () => {
  const gone = features.filter((feature) => !named.includes(feature));
  expect(gone.length).toBeGreaterThan(0);
  expect(problemsWithout(gone)).toEqual([]);
});

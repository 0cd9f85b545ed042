/** Proves the package: packs it, checks what is inside, installs it alone into an empty folder, and runs every command of it there. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import { plainEnvironment } from "./cli-process.js";
import { clusterFlags, setFlags, wholeFlags } from "./demo-cluster.js";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** Every file of the package matches one of these. */
const expected = [
  /^package\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^bin\/aro-hcp\.js$/,
  /^dist\/[\w.-]+\.js(\.map)?$/,
  /^THIRD-PARTY-NOTICES$/,
  /^docs\/[\w-]+\.md$/,
];
/** And these are there. */
const required = [
  "package.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "bin/aro-hcp.js",
  "dist/main.js",
  "dist/main.js.map",
  "THIRD-PARTY-NOTICES",
];

function run(command: string, args: readonly string[], cwd = process.cwd()): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** `against` is what speaks against it. */
function check(what: string, against: readonly string[]): void {
  if (against.length > 0) throw new Error(`not so: ${what}: ${against.join(" ")}`);
  console.log(`ok: ${what}`);
}

function packed(into: string): { readonly tarball: string; readonly files: readonly string[] } {
  const [pack] = JSON.parse(run("npm", ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", into])) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: path.join(into, pack.filename), files: pack.files.map((file) => file.path) };
}

function checkFiles(files: readonly string[]): void {
  const unowned = files.filter((file) => !expected.some((pattern) => pattern.test(file)));
  check("the package holds only what it should", unowned);
  const missing = required.filter((file) => !files.includes(file));
  check("the package holds all that it should", missing);
}

async function checkPublishable(tarball: string): Promise<void> {
  const { messages } = await publint({ pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer }, strict: true });
  check(
    "publint has nothing to say",
    messages.map((message) => `${message.code} at ${message.path.join("/")}`),
  );
}

/** What an installation may take, npm's own record of it included. */
const mostMiB = 20;
const mostPackages = 3;

/** Returns the program. */
function install(tarball: string, folder: string, { name }: Manifest): string {
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  run("npm", ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball], folder);
  const modules = path.join(folder, "node_modules");
  const installed = JSON.parse(readFileSync(path.join(modules, ".package-lock.json"), "utf8")) as { packages: Record<string, unknown> };
  const packages = Object.keys(installed.packages);
  check(
    `at most ${String(mostPackages)} packages are installed (${String(packages.length)})`,
    packages.length > mostPackages ? packages : [],
  );
  const size = sizeOf(modules) / 1024 / 1024;
  check(`at most ${String(mostMiB)} MiB are installed (${size.toFixed(1)})`, size > mostMiB ? [`${size.toFixed(1)} MiB`] : []);
  return path.join(modules, ".bin", name);
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/** In the folder of the installation, where nothing else is installed. */
function checkRuns(cli: string, folder: string, { name, version }: Manifest): void {
  const env = { ...plainEnvironment(folder), ARO_HCP_LOCAL_DIR: path.join(folder, "azure") };
  const say = (...args: string[]): string => execFileSync(cli, args, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
  const said = say("--version");
  check(`${name} --version says ${version}`, said.trim() === version ? [] : [said]);
  const help = say("--help");
  const commands = [...commandNames(say)];
  check(
    `${name} --help names its commands, and each of ${String(commands.length)} has help`,
    commands.filter((words) => !say(...words, "--help").includes("Usage")).map(String),
  );
  check(`${name} --help shows its usage`, help.includes("Usage: aro-hcp") ? [] : [help]);
  const output = path.join(folder, "demo");
  const lives: readonly (readonly string[])[] = [
    ["create", "all", ...wholeFlags, "--output-dir", output, "--yes"],
    ["verify", "identities", "--cloud", "local", "--input-dir", output],
    ["verify", "infra", "--cloud", "local", "--input-dir", output],
    ["show", "infra", ...wholeFlags],
    ["show", "identities", ...setFlags],
    ["render", "hosted-cluster", "--input-dir", output],
    ["destroy", "all", ...clusterFlags, "--purge", "--yes"],
  ];
  for (const args of lives) {
    say(...args);
    check(`${name} ${args.slice(0, 2).join(" ")} does its work`, []);
  }
}

/** The words of each command, by what `--help` lists. */
function* commandNames(say: (...args: string[]) => string, parent: readonly string[] = []): Generator<readonly string[]> {
  const [, list = ""] = say(...parent, "--help").split(/^Commands:$/m);
  for (const [, word = ""] of list.matchAll(/^ {2}([a-z][\w-]*)/gm)) {
    if (word === "help") continue;
    const words = [...parent, word];
    yield words;
    yield* commandNames(say, words);
  }
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const folder = mkdtempSync(path.join(tmpdir(), "pack-check-"));
try {
  const { tarball, files } = packed(folder);
  checkFiles(files);
  await checkPublishable(tarball);
  const cli = install(tarball, folder, manifest);
  checkRuns(cli, folder, manifest);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

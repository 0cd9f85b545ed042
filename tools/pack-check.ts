/** Tests the package: packs it, checks its files, installs it into an empty folder, and runs its commands there. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { publint } from "publint";
import { plural } from "../src/text/plural.js";
import { plainEnvironment } from "./cli-process.js";
import { clusterFlags, setFlags, wholeFlags } from "./demo-cluster.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** Every file of the package matches one of these. */
const expected = [
  /^package\.json$/,
  /^(README|CHANGELOG|SECURITY)\.md$/,
  /^LICENSE$/,
  /^bin\/(aro-hcp\.js|package\.json)$/,
  /^dist\/[\w.-]+\.cjs(\.map)?$/,
  /^dist\/help(-all)?(\/[a-z-]+){0,3}\.txt$/,
  /^man\/aro-hcp(-[a-z-]+)?\.1$/,
  /^THIRD-PARTY-NOTICES$/,
  /^docs\/[\w-]+\.md$/,
  /^docs\/pictures\/[\w-]+\.svg$/,
  /^examples\/(github-action\/)?[\w-]+(\.[\w-]+)?$/,
  /^schemas\/[a-z-]+\.json$/,
];
/** The package has at least these files. */
const required = [
  ...["package.json", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "bin/aro-hcp.js", "dist/main.cjs", "THIRD-PARTY-NOTICES"],
  ...["man/aro-hcp.1", "man/aro-hcp-create-infra.1", "schemas/config.json"],
];

function run(command: string, args: readonly string[], cwd = process.cwd()): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** @throws Error if there are problems. */
function check(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`failed: ${what}: ${problems.join(" ")}`);
  console.log(`ok: ${what}`);
}

function packed(into: string): { readonly tarball: string; readonly files: readonly string[] } {
  const [pack] = JSON.parse(run("npm", ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", into])) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: path.join(into, pack.filename), files: pack.files.map((file) => file.path) };
}

function checkFiles(files: readonly string[]): void {
  const unexpected = files.filter((file) => !expected.some((pattern) => pattern.test(file)));
  check("the package contains only the expected files", unexpected);
  const missing = required.filter((file) => !files.includes(file));
  check("the package contains all required files", missing);
  // A chunk that only passes exports on has no map.
  const hasMap = files.some((file) => /^dist\/entry-[\w-]+\.cjs\.map$/.test(file));
  check("the entry has a source map, for the stacks of --debug", hasMap ? [] : ["dist/entry-*.cjs.map"]);
}

async function checkPublishable(tarball: string): Promise<void> {
  const { messages } = await publint({ pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer }, strict: true });
  check(
    "publint reports no problem",
    messages.map((message) => `${message.code} at ${message.path.join("/")}`),
  );
}

/** The limits of an installation, including the files that npm writes. */
const mostMiB = 20;
const mostPackages = 3;

/** Returns the path of the program. */
function install(tarball: string, folder: string, { name }: Manifest): string {
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  run("npm", ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball], folder);
  const modules = path.join(folder, "node_modules");
  const installed = JSON.parse(readFileSync(path.join(modules, ".package-lock.json"), "utf8")) as { packages: Record<string, unknown> };
  const packages = Object.keys(installed.packages);
  check(
    `at most ${plural(mostPackages, "package")} are installed (${String(packages.length)})`,
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

/** npm links the man pages of a global installation. */
function checkManPages(tarball: string, folder: string): void {
  const prefix = path.join(folder, "global");
  run("npm", ["install", "--global", "--prefix", prefix, "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball], folder);
  const pages = readdirSync(path.join(prefix, "share", "man", "man1"));
  check(`a global installation has ${plural(pages.length, "man page")}`, pages.includes("aro-hcp-create-infra.1") ? [] : pages);
}

/** Runs the commands in the folder of the installation, where nothing else is installed. */
function checkRuns(cli: string, folder: string, { name, version }: Manifest): void {
  const env = { ...plainEnvironment(folder), ARO_HCP_LOCAL_DIR: path.join(folder, "azure") };
  const runCli = (...args: string[]): string => execFileSync(cli, args, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
  const said = runCli("--version");
  check(`${name} --version prints ${version}`, said.trim() === version ? [] : [said]);
  const help = runCli("--help");
  const commands = [...commandNames(runCli)];
  check(
    `${name} --help lists ${plural(commands.length, "command")}, and each has help`,
    commands.filter((words) => !runCli(...words, "--help").includes("Usage")).map(String),
  );
  check(`${name} --help prints the usage`, help.includes("Usage: aro-hcp") ? [] : [help]);
  const output = path.join(folder, "demo");
  const lives: readonly (readonly string[])[] = [
    ["create", "all", ...wholeFlags, "--output-dir", output, "--yes"],
    ["verify", "identities", "--cloud", "local", "--input-dir", output],
    ["verify", "infra", "--cloud", "local", "--input-dir", output],
    ["show", "infra", ...wholeFlags],
    ["show", "identities", ...setFlags],
    ["render", "hosted-cluster", "--input-dir", output, "--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"],
    ["destroy", "all", ...clusterFlags, "--purge", "--yes"],
  ];
  for (const args of lives) {
    runCli(...args);
    check(`${name} ${args.slice(0, 2).join(" ")} succeeds`, []);
  }
}

/** The words of each command that `--help` lists. */
function* commandNames(runCli: (...args: string[]) => string, parent: readonly string[] = []): Generator<readonly string[]> {
  // Examples, which begin with a word too, follow the list after an empty line.
  const [, list = ""] = /^Commands:\n((?:.+\n)*)/m.exec(runCli(...parent, "--help")) ?? [];
  for (const [, word = ""] of list.matchAll(/^ {2}([a-z][\w-]*)/gm)) {
    if (word === "help") continue;
    const words = [...parent, word];
    yield words;
    yield* commandNames(runCli, words);
  }
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const folder = createDirectory("pack-check");
try {
  const { tarball, files } = packed(folder);
  checkFiles(files);
  await checkPublishable(tarball);
  const cli = install(tarball, folder, manifest);
  checkRuns(cli, folder, manifest);
  checkManPages(tarball, folder);
} finally {
  await removeDirectory(folder);
}

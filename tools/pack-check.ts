/** Proves the package: packs it, checks what is inside, installs it into an empty folder without development dependencies, and runs it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { publint } from "publint";

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
  /^dist\/[\w/-]+\.js$/,
  /^docs\/[\w-]+\.md$/,
];
/** And these are there. */
const required = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "bin/aro-hcp.js", "dist/cli/main.js"];

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

function checkInstalled(tarball: string, folder: string, { name, version }: Manifest): void {
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  run("npm", ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball], folder);
  const cli = path.join(folder, "node_modules", ".bin", name);
  const said = run(cli, ["--version"], folder);
  check(`${name} --version of an installed package says ${version}`, said.includes(version) ? [] : [said]);
  const help = run(cli, ["--help"], folder);
  check(`${name} --help of an installed package names its commands`, help.includes("create") ? [] : [help]);
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const folder = mkdtempSync(path.join(tmpdir(), "pack-check-"));
try {
  const { tarball, files } = packed(folder);
  checkFiles(files);
  await checkPublishable(tarball);
  checkInstalled(tarball, folder, manifest);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Tests the package: its files, and on each version of Node.js its installation, the life of a cluster and a sign-in. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { publint } from "publint";
import { plural } from "../src/text/plural.js";
import { installPackage, liveThrough, sizeOf, type Installation } from "./packed/life.js";
import { installNodes, testedNodes } from "./packed/nodes.js";
import { useLibraries } from "./packed/library.js";
import { pack, servePackage } from "./packed/registry.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly man: readonly string[];
}

/** Every file of the package matches one of these. */
const expected = [
  /^package\.json$/,
  /^(README|CHANGELOG|SECURITY)\.md$/,
  /^LICENSE$/,
  /^bin\/(aro-hcp\.js|package\.json)$/,
  /^dist\/[\w.-]+\.cjs(\.map)?$/,
  /^dist\/types\/(package\.json|(library|emulator)\/[a-z]+\.d\.ts)$/,
  /^dist\/help(-all)?(\/[a-z-]+){0,3}\.txt$/,
  /^man\/aro-hcp(-[a-z-]+)?\.1$/,
  /^(THIRD-PARTY-NOTICES|sbom\.cdx\.json)$/,
  /^docs\/(errors\/)?[\w-]+\.md$/,
  /^docs\/pictures\/[\w-]+\.svg$/,
  /^examples\/((fleet|github-action|library)\/)?[\w-]+(\.[\w-]+)*$/,
  /^schemas\/[a-z-]+\.json$/,
];
/** The package has at least these files. */
const required = [
  ...["package.json", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "bin/aro-hcp.js", "dist/main.cjs", "THIRD-PARTY-NOTICES"],
  ...["sbom.cdx.json", "man/aro-hcp.1", "man/aro-hcp-create-infra.1", "schemas/config.json"],
  ...["dist/library.cjs", "dist/emulator.cjs", "dist/types/library/index.d.ts", "dist/types/emulator/embedded.d.ts"],
];

/** The limit of an installation in an empty prefix, in MB. */
const mostMB = 20;

/** @throws Error if there are problems. */
function check(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`failed: ${what}: ${problems.join(" ")}`);
  console.log(`ok: ${what}`);
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

/** Nothing else is installed, and npm links the man pages. */
function checkInstalled({ prefix }: Installation, { name, man }: Manifest): void {
  const packages = readdirSync(path.join(prefix, "lib", "node_modules"));
  check("one package is installed", packages.join() === name ? [] : packages);
  const megabytes = sizeOf(prefix) / 1e6;
  check(`at most ${String(mostMB)} MB are installed (${megabytes.toFixed(1)})`, megabytes > mostMB ? [`${megabytes.toFixed(1)} MB`] : []);
  const pages = readdirSync(path.join(prefix, "share", "man", "man1"));
  check(`${plural(pages.length, "man page")} are linked`, pages.length === man.length ? [] : pages);
}

async function checkHelp({ run }: Installation): Promise<void> {
  const commands = await commandNames(run);
  const helps = await Promise.all(commands.map(async (words) => [words.join(" "), await run("aro-hcp", ...words, "--help")] as const));
  check(
    `--help lists ${plural(commands.length, "command")}, and each has help`,
    helps.flatMap(([words, help]) => (help.includes("Usage") ? [] : [words])),
  );
}

/** The words of each command that `--help` lists. */
async function commandNames(run: Installation["run"], parent: readonly string[] = []): Promise<(readonly string[])[]> {
  // Examples, which begin with a word too, follow the list after an empty line.
  const [, list = ""] = /^Commands:\n((?:.+\n)*)/m.exec(`${await run("aro-hcp", ...parent, "--help")}\n`) ?? [];
  const words = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(([, word = ""]) => (word === "help" ? [] : [[...parent, word]]));
  return (await Promise.all(words.map(async (each) => [each, ...(await commandNames(run, each))]))).flat();
}

async function checkNode(node: string, label: string, registry: Readonly<Record<string, string>>): Promise<void> {
  const began = performance.now();
  const home = path.join(folder, `home-${label}`);
  mkdirSync(home);
  const installation = await installPackage(home, { node, registry, spec: manifest.name });
  const { run } = installation;
  if (label === testedNodes[0]) {
    checkInstalled(installation, manifest);
    await checkHelp(installation);
    await useLibraries(installation, home);
    check("programs use both libraries, and their types are right", []);
  }
  const said = await run("aro-hcp", "version");
  const found = await run("node", "--version");
  check(
    `Node.js ${found} runs aro-hcp ${manifest.version}`,
    [manifest.version, found.slice(1)].every((each) => said.includes(each)) ? [] : [said],
  );
  await liveThrough(installation);
  check(`Node.js ${found}: install, create, verify, sign-in, destroy (${((performance.now() - began) / 1000).toFixed(0)}s)`, []);
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const folder = createDirectory("pack-check");
const { tarball, files } = pack(folder);
const registry = await servePackage(tarball, manifest);
try {
  const nodes = installNodes(testedNodes, folder);
  checkFiles(files);
  await checkPublishable(tarball);
  await Promise.all([...(await nodes)].map(([label, node]) => checkNode(node, label, registry.variables)));
} finally {
  registry.close();
  await removeDirectory(folder);
}

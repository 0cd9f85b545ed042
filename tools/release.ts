/** Builds the package and the container image twice from the committed tree, compares them, and writes them to `release`. It publishes nothing. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import manifest from "../package.json" with { type: "json" };
import { imageSbom, sbomFile } from "./bundle/sbom.js";
import { sizeOf } from "./packed/life.js";
import { installNodes, newestLts } from "./packed/nodes.js";
import { pack } from "./packed/registry.js";
import { bundledPackages } from "./release/bundled.js";
import { debianNames, downloadPackages } from "./release/debian.js";
import { buildImage, type ImageParts, type Source } from "./release/image.js";
import { run } from "./release/run.js";
import { tryImage } from "./release/try-image.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

const craneVersion = "v0.22.1";

/** What the two builds must have alike: each file, by its name in `release`. */
interface Build {
  readonly digest: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Of Node.js: what the image is built for. */
const architectures = ["x64", "arm64"] as const;

const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
if (!values["dry-run"]) throw new Error("only --dry-run is possible: docs/releasing.md says how a maintainer publishes");
process.umask(0o022);
const began = performance.now();
const release = "release";
const work = createDirectory("release");

function progress(what: string): void {
  console.error(`[${((performance.now() - began) / 1000).toFixed(0).padStart(4)}s] ${what}`);
}

async function getCrane(): Promise<string> {
  const bin = path.resolve(".build", `crane-${craneVersion}`);
  if (!existsSync(bin)) {
    await run("go", ["install", `github.com/google/go-containerregistry/cmd/crane@${craneVersion}`], {
      env: { ...process.env, GOBIN: bin },
    });
  }
  return path.join(bin, "crane");
}

/** The inputs of the image that the two builds share: those of the registries. */
type Inputs = Omit<ImageParts, "tarball" | "sbom">;

async function getInputs(arch: (typeof architectures)[number]): Promise<Inputs> {
  const folder = path.join(work, arch);
  mkdirSync(path.join(folder, "node"), { recursive: true });
  const nodes = await installNodes([newestLts], path.join(folder, "node"), { platform: "linux", arch });
  const node = nodes.get(newestLts) ?? "";
  const nodePackage = JSON.parse(readFileSync(path.join(node, "package.json"), "utf8")) as Inputs["nodePackage"];
  const architecture = debianNames[arch] ?? "";
  return { architecture, node, nodePackage, packages: await downloadPackages(path.join(folder, "debian"), architecture) };
}

/** In a new folder of the committed tree, with the packages of the lock file. */
async function buildPackage(folder: string): Promise<string> {
  await run("git", ["clone", "--quiet", "--no-hardlinks", process.cwd(), folder]);
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
  return pack(path.dirname(folder), folder).tarball;
}

async function build(number: number, inputs: readonly Inputs[], crane: string, source: Source): Promise<Build> {
  // Paths of different lengths: no path may reach the result.
  const folder = path.join(work, `build-${"x".repeat(number)}`);
  mkdirSync(folder);
  const clone = path.join(folder, "clone");
  const tarball = await buildPackage(clone);
  progress(`build ${String(number)}: the package`);
  const bundled = bundledPackages(clone);
  const sbomOf = ({ architecture, packages, nodePackage: { name, version } }: Inputs) =>
    imageSbom(bundled, architecture, [...packages, { type: "npm", name, version, license: "MIT" }]);
  const parts = inputs.map((each) => ({ ...each, tarball, sbom: sbomOf(each) }));
  const inspect = async (image: string, architecture: string): Promise<void> => {
    if (number !== 1 || architecture !== debianNames[process.arch]) return;
    await tryImage(crane, image, path.join(folder, "tried"));
    progress(`the ${architecture} image takes a cluster through its life, as its user, and runs the Tekton task's plan`);
  };
  const { layout, digest } = await buildImage(crane, folder, { parts, source, inspect });
  progress(`build ${String(number)}: the image`);
  const name = `${manifest.name}-${manifest.version}`;
  const sboms = parts.map(({ architecture, sbom }) => {
    const file = path.join(folder, `image-${architecture}.json`);
    writeFileSync(file, sbom);
    return [`${name}-image-${architecture}.${sbomFile}`, file] as const;
  });
  const files = Object.fromEntries([
    [path.basename(tarball), tarball],
    [`${name}.${sbomFile}`, path.join(clone, sbomFile)],
    ...sboms,
    ["image", layout],
  ]);
  return { digest, files };
}

async function checkSboms({ files }: Build): Promise<void> {
  const sboms = Object.entries(files).filter(([name]) => name.endsWith(sbomFile));
  for (const [name, file] of sboms) {
    const problem: unknown = await new JsonStrictValidator(Version.v1dot6).validate(readFileSync(file, "utf8"));
    if (problem !== null) throw new Error(`${name} does not fit the schema of CycloneDX: ${JSON.stringify(problem)}`);
  }
  progress(`${String(sboms.length)} SBOMs fit the schema of CycloneDX 1.6`);
}

const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

/** Writes the first build, and prints what is in it. @throws Error if the second one differs */
function compare(first: Build, second: Build): void {
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release);
  const rows = Object.entries(first.files).map(([name, file]) => {
    cpSync(file, path.join(release, name), { recursive: true });
    const isImage = name === "image";
    const hashes = isImage
      ? [first, second].map(({ digest }) => digest.replace("sha256:", ""))
      : [file, second.files[name] ?? ""].map(sha256);
    return { name, hash: hashes[0] ?? "", same: hashes[0] === hashes[1], size: isImage ? sizeOf(file) : readFileSync(file).length };
  });
  const sums = rows.map(({ name, hash }) =>
    name === "image" ? `${sha256(path.join(release, "image/index.json"))}  image/index.json` : `${hash}  ${name}`,
  );
  writeFileSync(path.join(release, "SHA256SUMS"), `${sums.join("\n")}\n`);
  for (const { name, hash, same, size } of rows) {
    console.log(`${name.padEnd(45)} ${(size / 1e6).toFixed(1).padStart(6)} MB  ${hash}  ${same ? "same twice" : "DIFFERS"}`);
  }
  const different = rows.filter(({ same }) => !same).map(({ name }) => name);
  if (different.length > 0) throw new Error(`two builds differ: ${different.join(", ")}`);
}

try {
  const [revision = "", seconds = ""] = (await run("git", ["log", "-1", "--format=%H %ct"])).split(" ");
  process.env["SOURCE_DATE_EPOCH"] = seconds;
  const source = { revision, created: new Date(Number(seconds) * 1000) };
  if ((await run("git", ["status", "--porcelain"])) !== "") progress("uncommitted changes are left out");
  const crane = await getCrane();
  const inputs = await Promise.all(architectures.map(getInputs));
  progress(
    `crane ${craneVersion}, Node.js ${inputs[0]?.nodePackage.version ?? ""} and ${String(inputs[0]?.packages.length)} Debian packages for each architecture`,
  );
  const first = await build(1, inputs, crane, source);
  await checkSboms(first);
  compare(first, await build(2, inputs, crane, source));
  console.log(`\n${release} has them, and SHA256SUMS. Nothing was published: docs/releasing.md has the steps.`);
} finally {
  await removeDirectory(work);
}

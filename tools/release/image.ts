/** Builds the container image without a daemon: crane puts its layers together in a registry of its own, and writes an OCI layout. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import manifest from "../../package.json" with { type: "json" };
import { writeRoot, type DebianPackage } from "./debian.js";
import { run } from "./run.js";

/** What an image of one architecture is made of. */
export interface ImageParts {
  /** Debian's name. */
  readonly architecture: string;
  readonly packages: readonly DebianPackage[];
  /** The folder of Node.js. */
  readonly node: string;
  /** The npm package that it comes from. */
  readonly nodePackage: { readonly name: string; readonly version: string };
  readonly tarball: string;
  readonly sbom: string;
}

/** Where the image comes from, for its labels. */
export interface Source {
  readonly revision: string;
  readonly created: Date;
}

const imageSbomFile = `usr/local/share/sbom/${manifest.name}.cdx.json`;

const page = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/** As npm dates the files of a package. */
const fileTime = "1985-10-26T08:15:00Z";

/** A layer with the folder's content, which is the same for the same content. */
async function writeLayer(folder: string): Promise<string> {
  const file = `${folder}.tar`;
  const same = ["--sort=name", `--mtime=${fileTime}`, "--numeric-owner", "--format=gnu"];
  await run("tar", ["--create", "--file", file, ...same, "--owner=0", "--group=0", "--directory", folder, "--exclude=./home/?*", "."]);
  return file;
}

/** The user's home. Where a cluster chooses the user, as OpenShift does, its group is 0. */
async function addHome(layer: string, folder: string): Promise<void> {
  mkdirSync(path.join(folder, "home/aro-hcp"), { recursive: true });
  const owner = ["--owner=1000", "--group=0", "--numeric-owner", "--mode=0770", `--mtime=${fileTime}`, "--format=gnu"];
  await run("tar", ["--append", "--file", layer, ...owner, "--directory", folder, "./home/aro-hcp"]);
}

/** From the one that changes least to the one that changes with each version. */
async function writeLayers(folder: string, { packages, node, tarball, sbom }: ImageParts): Promise<readonly string[]> {
  const [base, runtime, program] = ["base", "node", "program"].map((each) => path.join(folder, each)) as [string, string, string];
  await writeRoot(base, packages);
  for (const each of ["bin", "share/doc/nodejs"]) mkdirSync(path.join(runtime, "usr/local", each), { recursive: true });
  copyFileSync(path.join(node, "bin/node"), path.join(runtime, "usr/local/bin/node"));
  copyFileSync(path.join(node, "LICENSE"), path.join(runtime, "usr/local/share/doc/nodejs/LICENSE"));
  const home = path.join(program, "usr/local/lib/node_modules", manifest.name);
  for (const each of [home, path.join(program, "usr/local/bin"), path.join(program, path.dirname(imageSbomFile))])
    mkdirSync(each, { recursive: true });
  await run("tar", ["--extract", "--file", tarball, "--strip-components=1", "--directory", home]);
  for (const [name, file] of Object.entries(manifest.bin))
    symlinkSync(path.join("../lib/node_modules", manifest.name, file), path.join(program, "usr/local/bin", name));
  writeFileSync(path.join(program, imageSbomFile), sbom);
  const layers = [await writeLayer(base), await writeLayer(runtime), await writeLayer(program)];
  await addHome(layers[0] ?? "", base);
  return layers;
}

function labels({ revision, created }: Source): readonly string[] {
  const values = {
    title: manifest.name,
    description: manifest.description,
    version: manifest.version,
    licenses: manifest.license,
    url: page,
    source: page,
    documentation: manifest.homepage,
    created: created.toISOString(),
    revision,
  };
  // crane splits the values of a flag at commas.
  return Object.entries(values).flatMap(([name, value]) => ["--label", `"org.opencontainers.image.${name}=${value}"`]);
}

/** The index with one image for each architecture; the digest is what a registry calls it. */
export interface BuiltImage {
  readonly digest: string;
  readonly layout: string;
}

/** `inspect` gets crane's name of each image while the registry runs. */
export async function buildImage(
  crane: string,
  folder: string,
  {
    parts,
    source,
    inspect,
  }: { parts: readonly ImageParts[]; source: Source; inspect?: (image: string, architecture: string) => Promise<void> },
): Promise<BuiltImage> {
  return besideRegistry(crane, async (registry) => {
    const name = `${registry}/${manifest.name}`;
    const images: string[] = [];
    for (const each of parts) {
      const layers = await writeLayers(path.join(folder, each.architecture), each);
      const image = `${name}:${each.architecture}`;
      await run(crane, ["append", "--oci-empty-base", ...layers.flatMap((layer) => ["--new_layer", layer]), "--new_tag", image]);
      await run(crane, ["mutate", image, "--tag", image, ...config(each.architecture), ...labels(source)]);
      await inspect?.(image, each.architecture);
      images.push(image);
    }
    await run(crane, ["index", "append", ...images.flatMap((image) => ["--manifest", image]), "--tag", `${name}:${manifest.version}`]);
    const layout = path.join(folder, "image");
    await run(crane, ["pull", "--format=oci", `${name}:${manifest.version}`, layout]);
    return { layout, digest: await run(crane, ["digest", `${name}:${manifest.version}`]) };
  });
}

function config(architecture: string): readonly string[] {
  const variables = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/home/aro-hcp", LANG: "C.UTF-8" };
  const env = Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  return ["--set-platform", `linux/${architecture}`, "--user", "1000:0", "--workdir", "/home/aro-hcp", "--entrypoint", "aro-hcp", ...env];
}

async function besideRegistry<T>(crane: string, work: (registry: string) => Promise<T>): Promise<T> {
  const server = spawn(crane, ["registry", "serve", "--address", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(server, "close");
  try {
    const [line] = (await Promise.race([once(createInterface(server.stderr), "line"), ended])) as [unknown];
    const [, port] = /serving on port (\d+)/.exec(String(line)) ?? [];
    if (port === undefined) throw new Error(`crane serves no registry: ${String(line)}`);
    return await work(`127.0.0.1:${port}`);
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

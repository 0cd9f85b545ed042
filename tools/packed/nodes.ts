/** Node.js in several versions, from the npm packages that have its binaries. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

/** The versions that the package is tested with, each in its newest release. */
export const testedNodes: readonly string[] = ["20", "22", "24", "26"];

/** The newest version with long-term support, for the examples and the image. */
export const newestLts = "24";

/**
 * The folder of each version, with `bin/node`.
 * @throws Error if the registry lacks one for this machine
 */
export async function installNodes(
  versions: readonly string[],
  folder: string,
  { platform, arch }: { readonly platform: string; readonly arch: string } = process,
): Promise<ReadonlyMap<string, string>> {
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true }));
  const packages = versions.map((version) => `node-${version}@npm:node-${platform}-${arch}@${version}`);
  // --force: the machine of an image may be another than this one.
  const args = ["install", "--force", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error", ...packages];
  await promisify(execFile)("npm", args, { cwd: folder });
  return new Map(versions.map((version) => [version, path.join(folder, "node_modules", `node-${version}`)]));
}

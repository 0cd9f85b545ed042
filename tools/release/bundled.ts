/** The packages in the bundle of a built clone. */
import path from "node:path";
import { packagesOf, type BundledPackage } from "../bundle/notices.js";
import { readRecord } from "../bundle/build.js";

export function bundledPackages(root: string): readonly BundledPackage[] {
  const chunks = Object.values(readRecord(root)?.chunks ?? {}).flat();
  return packagesOf(chunks.map((file) => path.join(root, file)));
}

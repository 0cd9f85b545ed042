/** Hashes the inputs of dist, so that tests never run an outdated build. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The lock file represents all packages. */
const inputs = ["package.json", "package-lock.json", "src", "tools/bundle"];

export function hashOfInputs(root: string): string {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const file of filesIn(path.join(root, input))) {
      hash.update(path.relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}

function filesIn(file: string): string[] {
  try {
    return readdirSync(file, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return [file];
    throw error;
  }
}

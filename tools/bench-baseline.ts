/** Builds an earlier commit in its own folder, to compare it with the current sources. */
import { execFileSync } from "node:child_process";
import path from "node:path";

/** Clones this repository into `directory` and builds `commit` there. Returns the folder of the clone. */
export function buildBaseline(directory: string, commit: string): string {
  const folder = path.join(directory, "baseline");
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  console.log(`Building the baseline ${commit}`);
  run("git", ["clone", "--quiet", "--no-checkout", process.cwd(), folder], directory);
  run("git", ["checkout", "--quiet", commit], folder);
  // `prepare` builds it.
  run("npm", ["ci", "--no-audit", "--no-fund"], folder);
  return folder;
}

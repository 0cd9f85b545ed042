/** An earlier commit, built in a folder of its own, to be measured beside the sources as they are. */
import { execFileSync } from "node:child_process";
import path from "node:path";

/** Clones this repository into `directory`, and builds `commit` there. Returns the folder. */
export function buildBaseline(directory: string, commit: string): string {
  const folder = path.join(directory, "baseline");
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  console.log(`building ${commit}, to be compared with`);
  run("git", ["clone", "--quiet", "--no-checkout", process.cwd(), folder], directory);
  run("git", ["checkout", "--quiet", commit], folder);
  // Installing builds it, too: `prepare`.
  run("npm", ["ci", "--no-audit", "--no-fund"], folder);
  return folder;
}

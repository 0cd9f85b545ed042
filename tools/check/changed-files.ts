/** The files that differ from the last commit; if none does, from the commit at which the branch left main. Without those that are deleted. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

export function changedFiles(): string[] {
  const uncommitted = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  const [base = "HEAD"] = git("merge-base", "main", "HEAD");
  const changed = uncommitted.length > 0 ? uncommitted : git("diff", "--name-only", base);
  return changed.filter((file) => existsSync(file)).sort();
}

function git(...args: string[]): string[] {
  const lines = execFileSync("git", args, { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line !== "");
}

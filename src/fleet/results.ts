/** The results of the members: written when one ends, and those of several runs and shards merged by name. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../errors/failure.js";
import type { FailureJson } from "../errors/format.js";
import type { ShownResult } from "../render/verification-text.js";
import { systemReason } from "../text/system-code.js";
import { readMemberResult, writeMemberResult, type WrittenResult } from "./files/member-result.js";
import { memberFiles } from "./member-run.js";

export interface MemberResult extends Omit<WrittenResult, "schemaVersion" | "type" | "failures" | "checks"> {
  readonly failures: readonly FailureJson[];
  readonly checks: readonly ShownResult[];
}

/** The try follows from the result that is there. */
export async function writeResult(outputDir: string, result: Omit<MemberResult, "try">): Promise<void> {
  const path = join(outputDir, result.name, memberFiles.result);
  const earlier = await readMemberResult(path);
  const isSameRun = earlier?.run === result.run && earlier.command === result.command;
  await writeMemberResult(path, { ...result, try: isSameRun ? earlier.try + 1 : 1 } satisfies MemberResult);
}

/** The latest result of each name. Without `run`, of any run. @throws ARO-FILE-001 to 003: a result that cannot be read is not left out */
export async function mergedResults(directories: readonly string[], run: string | undefined): Promise<ReadonlyMap<string, MemberResult>> {
  const found = (await Promise.all(directories.map(resultsIn))).flat();
  const merged = new Map<string, MemberResult>();
  for (const result of found) {
    if (run !== undefined && result.run !== run) continue;
    const other = merged.get(result.name);
    if (other === undefined || Date.parse(result.endedAt) > Date.parse(other.endedAt)) merged.set(result.name, result);
  }
  return merged;
}

async function resultsIn(directory: string): Promise<readonly MemberResult[]> {
  const names = await directoriesIn(directory);
  const results = await Promise.all(names.map((name) => readMemberResult(join(directory, name, memberFiles.result))));
  // Types with optional members that zod gives also undefined.
  return results.filter((result) => result !== undefined) as unknown as readonly MemberResult[];
}

async function directoriesIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    throw new Failure("ARO-FILE-001", `cannot read ${directory}: ${systemReason(error)}`, { cause: error });
  }
}

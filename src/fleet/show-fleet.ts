/** `show fleet`: the results of all runs and shards, merged by name. What has no result was not run. */
import { exitCodes, worstCode } from "../errors/exit-codes.js";
import { printDocument } from "../render/document.js";
import { duration } from "../render/duration.js";
import { junitMembers, type JunitMember } from "../render/junit.js";
import { screensOf } from "../render/screen.js";
import { table } from "../render/table.js";
import { sentence } from "../render/wrapped.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Resolved } from "../settings/settings.js";
import { readFleet, type Member } from "./fleet-file.js";
import { kinds } from "./member-facts.js";
import { mergedResults, type MemberResult } from "./results.js";
import { selected } from "./selection.js";

const command = "show fleet";

export async function run({ settings }: Resolved<typeof command>, port: ProcessPort, names = ""): Promise<number> {
  const { fleetFile, resultsDir, runId, output, color } = settings;
  const fleet = await readFleet(fleetFile);
  const results = await mergedResults(resultsDir, runId);
  const rows = selected(fleet, names, undefined).map((member) => ({ member, result: results.get(member.name) }));
  const code = worstCode(rows.map(({ result }) => result?.exitCode ?? exitCodes.incomplete));
  const { result: screen } = screensOf(port, color);
  switch (output) {
    case "json":
      printDocument(screen, { ok: code === exitCodes.done, command, exitCode: code, members: rows.map(memberJson) });
      break;
    case "junit":
      screen.print(junitMembers("fleet", rows.map(junitOf)));
      break;
    case "text":
      screen.show(table(screen, ["MEMBER", "KIND", "COMMAND", "RUN", "SHARD", "TRY", "CODE", "TOOK"], rows.map(rowOf)));
      screen.print(sentence(screen, summaryOf(rows.map(({ result }) => result))));
  }
  return code;
}

interface Row {
  readonly member: Member;
  readonly result: MemberResult | undefined;
}

function memberJson({ member: { name, kind }, result }: Row) {
  if (result === undefined) return { name, kind, state: "not-run" };
  const {
    schemaVersion: _version,
    type: _type,
    checks: _checks,
    ...known
  } = result as MemberResult & Readonly<Record<"schemaVersion" | "type", unknown>>;
  return { ...known, state: result.exitCode === exitCodes.done ? "done" : "failed" };
}

function junitOf({ member: { name }, result }: Row): JunitMember {
  if (result === undefined) return { name, checks: [], failures: [], skipped: "not run" };
  return { name, checks: result.checks, failures: result.failures };
}

function rowOf({ member: { name, kind }, result }: Row): string[] {
  const label = kinds[kind].label;
  if (result === undefined) return [name, label, "not run", "", "", "", "", ""];
  const { run, shard = "", exitCode, startedAt, endedAt } = result;
  const took = duration(Date.parse(endedAt) - Date.parse(startedAt));
  return [name, label, result.command, run, shard, String(result.try), String(exitCode), took];
}

/** "18 done, 1 failed, 1 not run" */
function summaryOf(results: readonly (MemberResult | undefined)[]): string {
  const done = results.filter((result) => result?.exitCode === exitCodes.done).length;
  const missing = results.filter((result) => result === undefined).length;
  const counts = [
    [done, "done"],
    [results.length - done - missing, "failed"],
    [missing, "not run"],
  ] as const;
  return counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ");
}

/** docs/internals/azure.md agrees with the program. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  longestRetryAfterMs,
  lostConnection,
  noResponse,
  notAzure,
  retryRules,
  unreachable,
  type RetryRule,
} from "../../src/azure/retry-rules.js";
import { create, destroy, run } from "../faults/fault-runs.js";
import { testEmulator, writes, type Exchange } from "../harness/test-emulator.js";

const text = readFileSync(new URL("../../docs/internals/azure.md", import.meta.url), "utf8");

/** The rows of the table with this header; each is one line of Markdown. */
function rowsUnder(head: string): string[] {
  const lines = text.split("\n");
  const from = lines.indexOf(head) + 2;
  return lines.slice(from, lines.indexOf("", from));
}

const spell = (ms: number): string => (ms < 60_000 ? `${String(ms / 1000)} s` : `${String(ms / 60_000)} min`);

function rowOf({ because, statuses, codes, methods, firstMs, maxMs: mostMs, totalMs: forMs }: RetryRule): string {
  const of = (list: readonly unknown[] | undefined, none: string) => (list === undefined || list.length === 0 ? none : list.join(", "));
  return `| ${because} | ${of(statuses, "none")} | ${of(codes, "any")} | ${of(methods, "any")} | ${spell(firstMs)} | ${spell(mostMs)} | ${spell(forMs)} |`;
}

test("the documented retries are the retry rules", () => {
  const rows = rowsUnder("| reason | status | code | method | first wait | longest wait | total |");
  expect(rows).toEqual([...retryRules, lostConnection, unreachable, noResponse, notAzure].map(rowOf));
  expect(text).toContain(`A Retry-After of more than ${spell(longestRetryAfterMs)} is not waited for`);
});

function rowFor(command: string, traffic: readonly Exchange[]): string {
  const reads = traffic.filter(({ method }) => method === "GET").map(({ url }) => new URL(url).pathname);
  const polls = reads.filter((path) => /\/(operations|operationresults|privateDnsOperation\w+)\//i.test(path));
  return `| ${command} | ${String(reads.length - polls.length)} | ${String(writes(traffic).length)} | ${String(polls.length)} |`;
}

test("the documented request counts equal the recorded ones", async () => {
  const azure = await testEmulator();
  const counted: string[] = [];
  for (const [title, command] of [
    ["`create infra --dry-run`", [...create, "--dry-run"]],
    ["`create infra`", create],
    ["`create infra`, a second time", create],
    ["`show infra`", ["show", "infra", ...create.slice(2)]],
    ["`destroy infra`", destroy],
    ["`destroy infra`, a second time", destroy],
  ] as const) {
    await run(azure, command, 0);
    counted.push(rowFor(title, await azure.traffic()));
  }
  expect(rowsUnder("| command | reads | writes | polls |")).toEqual(counted);
});

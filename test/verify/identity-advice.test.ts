/** For every check of `verify identities`: a fault makes only this check fail, and it passes after its advice is followed as printed. */
import { expect, test } from "vitest";
import { identityCheckIds } from "../../src/verify/identities/checks.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import { checkLines, everyLine } from "./advice.js";
import { findings, healthyState, originalState, rowOf } from "./healthy-state.js";
import { entraRows } from "./identity-entra-rows.js";
import { fileRows } from "./identity-file-rows.js";
import { issuerRows } from "./identity-issuer-rows.js";
import { keyRows, withKey } from "./identity-key-rows.js";
import { roleRows } from "./identity-role-rows.js";
import type { Row } from "./identity-rows.js";
import { secretRows } from "./identity-secret-rows.js";
import { vaultRows } from "./identity-vault-rows.js";

const rows: readonly Row[] = [...fileRows, ...vaultRows, ...secretRows, ...keyRows, ...entraRows, ...roleRows, ...issuerRows];

test("every check passes in a healthy state, and every check outside the management cluster has a row here", async () => {
  const state = await healthyState();
  const results = await state.verify({ encryptionKeyId: await withKey(state, "etcd", { kty: "RSA" }) });
  const skipped = results.filter(({ state }) => state !== "passed");
  expect([...new Set(skipped.map(({ subject, evidence }) => `${subject}: ${evidence}`))]).toEqual([
    "management cluster: --kubeconfig is not specified",
  ]);
  const elsewhere = new Set(skipped.map(({ check }) => check));
  const followed = rows.filter(({ follow }) => follow).map(({ row }) => row.split("/")[0]);
  expect([...new Set(followed)].sort()).toEqual(identityCheckIds.filter((id) => !elsewhere.has(id)).sort());
});

test.each(rows.map((row) => [`${row.row} reports ${row.fault}`, row] as const))("%s", async (_name, row) => {
  const { daysAgo = 0, also = [], leaves = [] } = row;
  const state = await healthyState({}, originalState(daysAgo));
  await row.breaks?.(state);
  const given = (await row.given?.(state)) ?? {};

  const results = await state.verify(given);
  const outcome = row.warning === true ? "warning" : "failed";
  const compared = daysAgo === 0 ? results : results.filter(({ subject }) => subject === subjectOf(row.row));
  expect(findings(compared)).toEqual([row, ...also].map((each) => `${each.row} ${outcome}`).sort());
  for (const { row: id, evidence } of [row, ...also]) expect(resultOf(results, id).evidence).toMatch(evidence);
  expect(JSON.stringify(results)).not.toMatch(/BEGIN|client_secret":/);
  checkLines(results);
  const result = resultOf(results, row.row);
  if (row.next) expect(result.next).toMatch(row.next);
  if (row.follow === undefined) return;

  // The advice is followed, and every check of the affected subjects runs again.
  let then = { ...given, ...(await row.follow(state, result)) };
  for (const each of also) then = { ...then, ...(await each.follow?.(state, resultOf(results, each.row))) };
  const filter = { subjects: [row, ...also].map((each) => subjectOf(each.row)) };
  const fixed = await state.verify(then, filter);
  expect(findings(fixed)).toEqual(leaves);
  if (leaves.length === 0) return;
  checkLines(fixed);
  for (const finding of leaves) await everyLine(state, resultOf(fixed, finding.split(" ")[0] ?? ""));
  expect(findings(await state.verify(then, filter))).toEqual([]);
});

const subjectOf = (row: string): string => row.slice(row.indexOf("/") + 1);

function resultOf(results: readonly Result[], row: string): Result {
  return rowOf(results, row.split("/")[0] ?? "", subjectOf(row));
}

/**
 * For every check of `verify identities`: a fault makes only this check fail, and it passes after its advice is followed as printed.
 * Faults of different identities share one wave, and the whole state is verified before and after.
 */
import { expect, test, vi } from "vitest";
import { identityCheckIds } from "../../src/verify/identities/checks.js";
import type { IdentityChain } from "../../src/verify/identities/chain.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import { checkLines, everyLine } from "./advice.js";
import { findings, healthyState, rowOf } from "./healthy-state.js";
import { accessWaves } from "./identity-access-rows.js";
import { fileWaves } from "./identity-file-rows.js";
import type { Row, Wave } from "./identity-rows.js";
import { vaultWaves, withKey } from "./identity-vault-rows.js";

vi.setConfig({ testTimeout: 240_000 });

const waves: readonly Wave[] = [...fileWaves, ...vaultWaves, ...accessWaves];

test("every check passes in a healthy state, and every check outside the management cluster has a row here", async () => {
  const state = await healthyState();
  const results = await state.verify({ encryptionKeyId: await withKey(state, "etcd", { kty: "RSA" }) });
  const skipped = results.filter(({ state }) => state !== "passed");
  expect([...new Set(skipped.map(({ subject, evidence }) => `${subject}: ${evidence}`))]).toEqual([
    "management cluster: --kubeconfig is not specified",
  ]);
  const elsewhere = new Set(skipped.map(({ check }) => check));
  const followed = waves.flatMap(({ rows }) => rows.map(({ row }) => row.split("/")[0]));
  expect([...new Set(followed)].sort()).toEqual(identityCheckIds.filter((id) => !elsewhere.has(id)).sort());
});

const expectedOf = ({ row, warning }: Row) => `${row} ${warning === true ? "warning" : "failed"}`;

test.each(waves.map((wave) => [wave.title, wave] as const))(
  "%s",
  async (_title, { rows, daysAgo = 0, given = () => Promise.resolve({}) }) => {
    const state = await healthyState({}, { daysAgo });
    for (const { breaks } of rows) await breaks(state);
    const wanted = await given(state);
    const results = await state.verify(wanted);
    expect(findings(results)).toEqual(rows.map(expectedOf).sort());
    expect(JSON.stringify(results)).not.toMatch(/BEGIN|client_secret":/);
    checkLines(results);
    const done = new Set<string>();
    let then: Partial<IdentityChain> = wanted;
    for (const each of rows) {
      const result = resultOf(results, each);
      expect(result.evidence).toMatch(each.evidence);
      // Several rows may print the same command, which fixes all of them.
      if (done.has(result.next ?? "")) continue;
      done.add(result.next ?? "");
      then = { ...then, ...(await each.follow(state, result)) };
    }
    const fixed = await state.verify(then);
    const left = rows.flatMap(({ leaves = [] }) => leaves).sort();
    expect(findings(fixed)).toEqual(left);
    if (left.length === 0) return;
    // Checks that could not run before report the remaining steps.
    checkLines(fixed);
    for (const finding of left) await everyLine(state, rowOf(fixed, ...namesIn(finding.split(" ")[0] ?? "")));
    expect(findings(await state.verify(then))).toEqual([]);
  },
);

function resultOf(results: readonly Result[], { row }: Row): Result {
  return rowOf(results, ...namesIn(row));
}

function namesIn(row: string): [check: string, subject: string] {
  const [check = "", subject = ""] = row.split("/");
  return [check, subject];
}

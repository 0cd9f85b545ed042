/** The cheap checks before a create: each fault is found, and missing read permission is no failure. */
import { expect, test } from "vitest";
import { preflightFindings } from "../../src/preflight/preflight.js";
import type { Machine } from "../../src/preflight/request.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { doctorState, healthy, type DoctorState } from "../doctor/doctor-state.js";
import { application, client, customRole, given, roleIds } from "../verify/other-client.js";

async function findingsIn({ azure }: DoctorState, machine: Partial<Machine> = {}): Promise<string[]> {
  const noticed = await preflightFindings(azure, { ...healthy, machine: { ...healthy.machine, ...machine }, uses: () => true });
  return noticed.flatMap(({ check, finding }) => {
    if (finding.passed) return [];
    return `${check.id} ${finding.passed === undefined ? `skipped: ${plainAdvice(finding.reason)}` : finding.evidence}`;
  });
}

const clockOff = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) });

test("Node.js and the clock are checked against the doctor's limits", async () => {
  const state = await doctorState();
  expect(await findingsIn(state)).toEqual([]);
  expect(await findingsIn(state, { nodeVersion: "20.18.9" })).toEqual(["node-version Node.js 20.18.9, but >=20.19 is required"]);
  expect(await findingsIn(state, clockOff(-400))).toEqual([expect.stringMatching(/^clock the clock is \d+ s behind Azure's$/)]);
  expect(await findingsIn(state, clockOff(120))).toEqual([expect.stringMatching(/^clock-drift the clock is 1\d\d s ahead of Azure's$/)]);
});

test("providers that cannot be read are omitted, and failed requests are skipped checks", async () => {
  const state = await doctorState();
  for (const document of [application(), customRole(["Microsoft.Network/*"]), given(roleIds.custom)]) await state.seed(document);
  expect(await findingsIn(await state.signedIn(client))).toEqual([]);
  // An invalid secret: the plan cannot be read either, and gives the reason.
  const unowned = await state.signedIn({ clientSecret: "wrong" });
  expect(await findingsIn(unowned)).toEqual([
    expect.stringMatching(/^subscription skipped: .*AADSTS7000215/),
    expect.stringMatching(/^providers skipped: .*AADSTS7000215/),
  ]);
});

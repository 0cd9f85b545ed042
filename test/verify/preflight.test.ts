/** The cheap checks before a create, each broken alone; what may not be read is not held against anybody. */
import { expect, test } from "vitest";
import { preflightFindings } from "../../src/verify/doctor/preflight.js";
import type { Machine } from "../../src/verify/doctor/request.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { doctorState, healthy, type DoctorState } from "./doctor-state.js";
import { application, client, customRole, given, roleIds } from "./other-client.js";

async function toldIn({ azure }: DoctorState, machine: Partial<Machine> = {}): Promise<string[]> {
  const noticed = await preflightFindings(azure, { ...healthy.machine, ...machine }, healthy.parts);
  return noticed.flatMap(({ check, finding }) => {
    if (finding.holds) return [];
    return `${check.id} ${finding.holds === undefined ? `not asked: ${plainAdvice(finding.reason)}` : finding.evidence}`;
  });
}

const clockOff = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) });

test("Node and clock are held against what the doctor holds them against", async () => {
  const state = await doctorState();
  expect(await toldIn(state)).toEqual([]);
  expect(await toldIn(state, { nodeVersion: "20.18.9" })).toEqual(["node-version Node 20.18.9, and >=20.19 is needed"]);
  expect(await toldIn(state, clockOff(-400))).toEqual([expect.stringMatching(/^clock the clock is \d+ s behind Azure's$/)]);
  expect(await toldIn(state, clockOff(120))).toEqual([expect.stringMatching(/^clock-drift the clock is 1\d\d s ahead of Azure's$/)]);
});

test("who may not read the providers is told nothing of them; what Azure does not answer is told as not looked at", async () => {
  const state = await doctorState();
  for (const document of [application(), customRole(["Microsoft.Network/*"]), given(roleIds.custom)]) await state.seed(document);
  expect(await toldIn(await state.signedIn(client))).toEqual([]);
  // A secret that is no longer good: the plan cannot be read either, and tells why.
  const unowned = await state.signedIn({ clientSecret: "wrong" });
  expect(await toldIn(unowned)).toEqual([
    expect.stringMatching(/^subscription not asked: .*AADSTS7000215/),
    expect.stringMatching(/^providers not asked: .*AADSTS7000215/),
  ]);
});

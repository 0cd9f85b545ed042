/** Definitions of policies, sets of them and assignments, as clients write them. */
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/state/well-known.js";
import { ArmState, subscription } from "./arm-state.js";

const options = { apiVersion: "2023-04-01" };
const policyRule = { if: { field: "location", equals: "eastus" }, then: { effect: "audit" } };
const at = (path: string): string => `${subscription}/providers/Microsoft.Authorization/${path}`;

test("a definition, a set and an assignment are written, changed, read, listed and deleted", () => {
  const arm = new ArmState();
  const [definition, set, assignment] = [at("policyDefinitions/d"), at("policySetDefinitions/s"), at("policyAssignments/a")];
  const made = arm.put(definition, { properties: { displayName: "D", policyRule } }, options);
  const by = wellKnown.clientPrincipalId;
  const writers = { createdBy: by, createdOn: "2026-01-01T00:00:00.000Z", updatedBy: null, updatedOn: null };
  expect(made).toMatchObject({
    status: 201,
    body: { properties: { policyType: "Custom", mode: "Indexed", policyRule, metadata: writers } },
  });
  expect(arm.get(definition, options).body).toEqual(made.body);
  arm.now += 1000;
  const changed = arm.put(definition, { properties: { mode: "All", policyRule, metadata: { category: "c" } } }, options);
  const metadata = { category: "c", createdOn: writers.createdOn, updatedBy: by, updatedOn: "2026-01-01T00:00:01.000Z" };
  expect(changed).toMatchObject({ status: 201, body: { properties: { mode: "All", metadata } } });
  arm.put(set, { properties: { policyDefinitions: [{ policyDefinitionId: definition }] } }, options);
  arm.put(assignment, { properties: { policyDefinitionId: set, nonComplianceMessages: [{ message: "m" }] } }, options);
  const shown = arm.get(assignment, options).body;
  expect(shown).toMatchObject({
    properties: { enforcementMode: "Default", scope: subscription, nonComplianceMessages: [{ message: "m" }] },
  });
  expect(shown).not.toHaveProperty("properties.parameters");
  const names = (kind: string) =>
    (arm.get(`${at(kind)}?$filter=policyType eq 'Custom'`, options).body as { value: { name: string }[] }).value.map(({ name }) => name);
  expect([names("policyDefinitions"), names("policySetDefinitions")]).toEqual([["d"], ["s"]]);
  for (const id of [assignment, set, definition]) {
    expect(arm.delete(id, options).status).toBe(200);
    expect(arm.delete(id, options).status).toBe(204);
    expect(arm.get(id, options).status).toBe(404);
  }
});

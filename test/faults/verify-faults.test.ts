/** Problems that are no fault of the verified resources: each is a result with a name and advice, never a crash or a silent skip. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import type { RenderedResult as Result } from "../../src/run/verification.js";
import type { CliResult } from "../../tools/cli-process.js";
import { findings, healthyState, rowOf, type HealthyState } from "../verify/healthy-state.js";

import { changeState } from "../harness/state-changes.js";
import { editFiles } from "../identities/verify/identity-rows.js";

const json = ["--output", "json"] as const;
const identities = (state: HealthyState) => ["verify", "identities", "--input-dir", state.files, ...json];
const infra = (state: HealthyState) => ["verify", "infra", "--input-dir", state.files, ...json];

/** Every result has evidence, and every failed one has advice. */
function resultsOf({ code, stdout, stderr }: CliResult, wanted: number): Result[] {
  expect(code, stderr + stdout).toBe(wanted);
  const { results } = JSON.parse(stdout) as { results: Result[] };
  for (const { evidence, next, state } of results) {
    expect(evidence).not.toBe("");
    if (state === "failed") expect(next).toMatch(/\S/);
    expect(`${evidence} ${next ?? ""}`).not.toMatch(/ARO-BUG|undefined|\[object/);
  }
  return results;
}

const always = { times: 100_000 } as const;
const throttled = {
  status: 429,
  headers: { "retry-after": "3600" },
  body: { error: { code: "TooManyRequests", message: "The request is being throttled." } },
};

test("files of another shape, and of another tenant", async () => {
  const state = await healthyState();
  const file = (name: string) => join(state.files, name);
  const shape = resultsOf(await state.run("verify", "identities", "--managed-identities-file", file("infra.json"), ...json), 6);
  expect(findings(shape)).toEqual(["file-shape/control plane failed"]);
  expect(await state.run("verify", "infra", "--infra-file", file("identities.json"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[ARO-FILE-003]") as unknown,
  });
  expect(await state.run(...infra(state), "--managed-identities-file", file("infra.json"))).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("ARO-FILE-003") as unknown,
  });
  await editFiles(state, ({ controlPlane }) => {
    controlPlane["managedIdentitiesKeyVault"] = {
      ...controlPlane["managedIdentitiesKeyVault"],
      tenantID: "11111111-1111-4111-8111-111111111111",
    };
  });
  expect(findings(resultsOf(await state.run(...identities(state)), 6))).toEqual(["file-vault/vault failed"]);
});

test("a vault behind a firewall", async () => {
  const state = await healthyState();
  const { vaults } = await state.azure.vaults();
  const networkAcls = { defaultAction: "Deny", ipRules: [{ value: "198.51.100.7" }] };
  await vaults.update("demo-common", state.vault, { properties: { networkAcls } });
  const results = resultsOf(await state.run(...identities(state)), 6);
  expect(findings(results)).toEqual(["vault-reachable/vault failed"]);
  expect(rowOf(results, "vault-reachable", "vault").next).toContain("--ip-address 203.0.113.10");
});

test("a principal without permissions in the directory", async () => {
  const state = await healthyState();
  await changeState(state, ({ applications }) => {
    Object.assign(applications[wellKnown.clientId] ?? {}, { graphPermissions: [] });
  });
  const results = resultsOf(await state.run(...identities(state)), 0);
  expect(rowOf(results, "principal-exists", "cpo")).toMatchObject({
    state: "skipped",
    evidence: expect.stringMatching(/^Authorization_RequestDenied: .*Application\.Read\.All/) as unknown,
  });
  const failed = resultsOf(await state.run(...infra(state)), 6).filter(({ state }) => state === "failed");
  expect(failed.map(({ check }) => check)).toEqual(["principals-exist"]);
  expect(failed[0]).toMatchObject({
    evidence: expect.stringMatching(/^ARO-AUTHZ-003: /) as unknown,
    next: expect.stringContaining("Application.Read.All") as unknown,
  });
});

test("a subscription that the caller cannot read", async () => {
  const state = await healthyState();
  await changeState(state, ({ roleAssignments }) => {
    for (const [id, { principalId }] of Object.entries(roleAssignments)) {
      if (principalId === wellKnown.clientPrincipalId) Reflect.deleteProperty(roleAssignments, id);
    }
  });
  const results = resultsOf(await state.run(...identities(state)), 6);
  expect(rowOf(results, "vault-exists", "vault").evidence).toMatch(/^ARO-AUTHZ-001: /);
  // Azure omits from a list what the caller cannot read.
  expect(rowOf(results, "identity-exists", "azure-disk-MI")).toMatchObject({
    evidence: expect.stringMatching(/^no managed identity is visible, so none in subscription/) as unknown,
    next: expect.stringContaining("Reader") as unknown,
  });
  const there = resultsOf(await state.run(...infra(state)), 6);
  expect(rowOf(there, "resource-exists", "resource group demo-demo-x7k2").evidence).toMatch(/^ARO-AUTHZ-001: /);
});

test("Azure that throttles for an hour", async () => {
  const state = await healthyState();
  const results = resultsOf(await state.struck([{ path: "/vaults$", ...always, answer: throttled }], identities(state)), 6);
  expect(rowOf(results, "vault-exists", "vault")).toMatchObject({
    evidence: expect.stringMatching(/^ARO-AZURE-003: /) as unknown,
    next: expect.stringMatching(/^wait 60 minutes/) as unknown,
  });
  // Checks that do not need the vault still run.
  expect(rowOf(results, "federated-sign-in", "azure-disk-MI").state).toBe("passed");
  const there = resultsOf(await state.struck([{ path: "/virtualNetworks/[^/]+$", ...always, answer: throttled }], infra(state)), 6);
  expect(rowOf(there, "resource-exists", "virtual network demo-demo-x7k2").evidence).toMatch(/^ARO-AZURE-003: /);
});

test("Entra that is unreachable from the start, and only after the caller has signed in", async () => {
  const state = await healthyState();
  const entra = { host: "login.microsoftonline.com", path: "/oauth2/v2.0/token$", ...always, reset: true } as const;
  expect(await state.struck([entra], identities(state), 1000)).toMatchObject({
    code: expect.toSatisfy((code: number) => code === 1 || code === 4) as unknown,
    stdout: expect.stringMatching(/ARO-(?:NET|AUTH)-001/) as unknown,
  });
  const evidenceOf = async (check: string, subject: string, ownTokens: number) => {
    const only = [...identities(state), "--only", check, "--component", subject];
    const results = resultsOf(await state.struck([{ ...entra, nth: ownTokens + 1 }], only, 1000), 6);
    expect(findings(results)).toEqual([`${check}/${subject} failed`]);
    return rowOf(results, check, subject).evidence;
  };
  // Tokens for Azure, the directory and the vault; then for Azure only.
  expect(await evidenceOf("sign-in", "cpo", 3)).toMatch(/^ARO-NET-001: /);
  expect(await evidenceOf("federated-sign-in", "azure-disk-MI", 1)).toMatch(/^ARO-NET-001: /);
});

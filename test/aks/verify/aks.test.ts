/** For every check of an AKS cluster in Azure: a fault makes only this check fail, and it passes after its advice is followed. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { aksChecks, inClusterChecks } from "../../../src/aks/verify/checks.js";
import { ids, zone } from "../cli/service-clusters.js";
import { checkLines, firstLine } from "../../verify/advice.js";
import { management, managementRows } from "./aks-management-rows.js";
import type { AksRow } from "./aks-row.js";
import { service, serviceRows } from "./aks-service-rows.js";
import { aksState, type AksScenario } from "./aks-state.js";
import { findings, rowOf } from "../../verify/healthy-state.js";

const scenarios: readonly (readonly [string, AksScenario, readonly AksRow[]])[] = [
  [management.title, management, managementRows],
  [service.title, service, serviceRows],
];

describe.each(scenarios)("%s", (_title, scenario, rows) => {
  test("every check passes before the fault; the report draws the cluster", async () => {
    const state = await aksState(scenario);
    const report = state.path("report.html");
    expect(findings(await state.verify(["--output-report", report]))).toEqual([]);
    expect(await readFile(report, "utf8")).toContain("Who can reach the cluster, and what it reaches");
  });

  test.each(rows.map((row) => [`${row.check} reports ${row.subject}`, row] as const))("%s", async (_name, row) => {
    const state = await aksState(scenario);
    await row.breaks(state);
    const results = await state.verify();
    const [found = ""] = findings(results);
    expect(findings(results)).toHaveLength(1);
    const [id = ""] = found.split(/ (?:failed|warning)$/);
    const subject = id.slice(row.check.length + 1);
    expect(found).toBe(`${row.check}/${subject} ${row.state ?? "failed"}`);
    expect(subject.endsWith(row.subject), subject).toBe(true);
    const result = rowOf(results, row.check, subject);
    expect(result.evidence).toMatch(row.evidence);
    expect(result.next).toMatch(row.next);
    checkLines(results);
    if (row.fix === "create") return;
    if (row.fix === "line") await firstLine(state, result);
    else await row.fix(state);
    expect(findings(await state.verify()), "after the advice was followed").toEqual([]);
  });

  test("one create fixes all faults that a create can fix", async () => {
    const state = await aksState(scenario);
    for (const { fix, breaks } of rows) if (fix === "create") await breaks(state);
    const broken = (await state.verify()).find(({ next }) => next?.includes(`aro-hcp create ${scenario.kind}`) === true);
    // Only flags may name existing resources.
    await state.follow(`aro-hcp create ${scenario.kind} --cloud local --name ${scenario.name} ${(scenario.flags ?? []).join(" ")}`);
    expect(broken).toBeDefined();
    expect(findings(await state.verify())).toEqual([]);
  });
});

test("documents of the issuer that cannot be read, and a region without the VM sizes", async () => {
  const state = await aksState(management);
  const unread = { path: "/openid/v1/jwks$", times: 9, answer: { status: 403 } };
  const noSizes = { path: "/providers/Microsoft.Compute/skus$", times: 9, answer: { status: 200, body: { value: [] } } };
  const results = await state.verify([], [unread, noSizes]);
  expect(new Set(findings(results).map((found) => found.split("/")[0]))).toEqual(new Set(["oidc-documents", "pool-size"]));
  expect(rowOf(results, "oidc-documents", "AKS cluster mgmt").evidence).toMatch(/returned 403/);
});

test.each([
  ["certificate-hostnames", ["--certificate-hostname", "other.example.com"], /^it is not for other\.example\.com/],
  ["certificate-as-wanted", ["--certificate-issuer", "Other"], /^issuer: Self, not Other$/],
] as const)("%s reports a certificate that other settings want", async (check, flags, evidence) => {
  const results = await (await aksState(service)).verify(["--regional-zone", zone, "--certificate-vault-id", ids.vault, ...flags]);
  expect(findings(results)).toEqual([`${check}/certificate frontend-cert failed`]);
  const { evidence: found, next } = rowOf(results, check, "certificate frontend-cert");
  expect(found).toMatch(evidence);
  expect(next).toMatch(/^`aro-hcp create service-cluster --cloud local --name svc /);
  expect(next).toContain(` ${flags.join(" ")}`);
});

test("every check has a row here, in the tests of infrastructure, or in those of the API server", () => {
  const elsewhere = ["resource-location", "oidc-documents", "pool-size", "certificate-hostnames", "certificate-as-wanted"];
  const here = [...managementRows, ...serviceRows].map(({ check }) => check);
  const covered = new Set([...here, ...elsewhere, ...Object.keys(inClusterChecks)]);
  expect(Object.keys(aksChecks).filter((id) => !covered.has(id))).toEqual([]);
});

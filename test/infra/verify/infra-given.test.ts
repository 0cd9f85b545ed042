/** Inputs of `verify infra`: other ranges, another location, identity files with unknown or swapped identities, and requests that Azure refuses. */
import { expect, test } from "vitest";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { groups, ids } from "../../cli/demo-cluster.js";
import { exits } from "../../cli/expectations.js";
import { controlPlane, fileOf } from "../../identities/cli/identities.js";
import { shellWords } from "../../harness/shell-words.js";
import { setProperties } from "../../harness/state-changes.js";
import { firstLine } from "../../verify/advice.js";
import { findings, rowOf } from "../../verify/healthy-state.js";
import { outboundRules, routeTable, table } from "./infra-network-rows.js";
import { customRoles, withoutApplication } from "./infra-role-rows.js";
import { advised, subjects } from "./infra-rows.js";
import { infraState, createCommand, preparedState, type InfraState } from "./infra-state.js";

const diskRole = `role assignment Azure Red Hat OpenShift Disk Storage Operator for disk on resource group ${groups.managed}`;

const plain = (): Promise<InfraState> => preparedState("infra-plain");
const withRoles = (): Promise<InfraState> => preparedState("infra-with-roles", customRoles);

/** The command of `create infra` as one of `verify infra`. */
const verifying = (command: string): string[] => ["verify", "infra", ...shellWords(command).slice(3), "--cloud", "local"];

function failedIn(stdout: string): Result[] {
  const { results } = JSON.parse(stdout) as { results: Result[] };
  return results.filter(({ state }) => state === "failed");
}

test("without a parent zone in the subscription, the delegation check is skipped with a command to check it", async () => {
  const state = await plain();
  expect(rowOf(await state.verify(), "public-zone-delegated", subjects.publicZone)).toMatchObject({
    state: "skipped",
    evidence: expect.stringMatching(
      /this subscription has no parent zone of hcp\.example\.com; `dig \+short NS hcp\.example\.com`/,
    ) as string,
  });
});

test("pod and service networks that overlap the virtual network fail, and others pass", async () => {
  const state = await plain();
  const results = await state.verify({ podNetworks: ["10.0.0.0/14"], serviceNetworks: ["fd02::/112", "172.31.0.0/16"] });
  expect(findings(results)).toEqual([`network-ranges/${subjects.vnet} failed`]);
  expect(rowOf(results, "network-ranges", subjects.vnet)).toMatchObject({
    evidence: expect.stringMatching(/^10\.0\.0\.0\/16 overlaps the pod network 10\.0\.0\.0\/14/) as string,
    next: expect.stringContaining("--cluster-cidr ... --service-cidr") as string,
  });
  // "with others, and verify with the same"
  expect(findings(await state.verify({ podNetworks: ["10.200.0.0/14"], serviceNetworks: ["172.31.0.0/16"] }))).toEqual([]);
});

const drop = { addressPrefix: "0.0.0.0/0", nextHopType: "None" };
const open = { access: "Allow", destinationAddressPrefix: "10.9.0.4", destinationPortRange: "443", protocol: "Tcp" };

test.each<[string, "passes" | "fails", readonly object[]]>([
  ["of another port", "passes", [{ access: "Deny", destinationPortRange: "25" }]],
  ["of another protocol", "passes", [{ access: "Deny", protocol: "Udp" }]],
  ["of inbound traffic", "passes", [{ access: "Deny", direction: "Inbound" }]],
  ["of some addresses", "passes", [{ access: "Deny", destinationAddressPrefix: "Storage" }]],
  ["after one that opens a firewall", "passes", [{ access: "Deny" }, open]],
  ["before one that opens a firewall", "fails", [{ access: "Deny" }, { ...open, priority: 500 }]],
  ["after one that opens the network itself", "fails", [{ access: "Deny" }, { ...open, destinationAddressPrefix: "VirtualNetwork" }]],
  ["of the internet", "fails", [{ access: "Deny", destinationAddressPrefix: "Internet", sourceAddressPrefix: "VirtualNetwork" }]],
  ["of every range of ports", "fails", [{ access: "Deny", destinationPortRange: undefined, destinationPortRanges: ["80", "400-500"] }]],
])("a rule that denies outbound traffic, %s: %s", async (_title, outcome, rules) => {
  const state = await plain();
  await state.seed({ resources: outboundRules(...rules) });
  expect(findings(await state.verify())).toEqual(outcome === "passes" ? [] : [`outbound-rules/${subjects.vnet} failed`]);
});

test.each<[string, "passes" | "fails", readonly object[]]>([
  ["to a firewall", "passes", [{ addressPrefix: "0.0.0.0/0", nextHopType: "VirtualAppliance", nextHopIpAddress: "10.9.0.4" }]],
  ["beside one that leads out", "passes", [drop, { addressPrefix: "AzureCloud", nextHopType: "Internet" }]],
  ["beside one in the network", "fails", [drop, { addressPrefix: "10.0.0.0/16", nextHopType: "VnetLocal" }]],
])("a default route %s: %s", async (_title, outcome, routes) => {
  const state = await plain();
  await state.seed({ resources: routeTable(...routes) });
  await setProperties(state, ids.subnet, { routeTable: { id: table } });
  expect(findings(await state.verify())).toEqual(outcome === "passes" ? [] : [`outbound-routes/${subjects.vnet} failed`]);
});

test("a network with another range than specified fails with the flag that would pass", async () => {
  const state = await infraState("--vnet-cidr 10.64.0.0/16 --subnet-cidr 10.64.0.0/24");
  await state.follow(createCommand());
  const results = await state.verify();
  expect(findings(results)).toEqual([`resource-as-wanted/${subjects.vnet} failed`]);
  expect(rowOf(results, "resource-as-wanted", subjects.vnet)).toMatchObject({
    evidence: expect.stringMatching(/has the address range 10\.0\.0\.0\/16, not 10\.64\.0\.0\/16/) as string,
    next: "pass --vnet-cidr 10.0.0.0/16, or destroy the infrastructure first",
  });
});

test("another location than specified fails for each regional resource, and the advised location passes", async () => {
  const state = await plain();
  const verify = [...verifying(state.command), "-o", "json"];
  const failed = failedIn(exits(await state.cli([...verify, "--location", "westus3"]), 6).stdout);
  expect(new Set(failed.map(({ check }) => check))).toEqual(new Set(["resource-location"]));
  const [, flag = "", value = ""] = /^pass (--location) (\S+),/.exec(failed[0]?.next ?? "") ?? [];
  exits(await state.cli([...verify, flag, value]), 0);
});

test("all roles of both planes are checked", async () => {
  const results = await (await withRoles()).verify();
  expect(results.filter(({ check }) => check === "role-assigned")).toHaveLength(21);
});

test("a missing identity is reported once, and the checks of its roles are skipped", async () => {
  const state = await withRoles();
  await withoutApplication(state, "ingress");
  const results = await state.verify();
  expect(results.filter(({ check, state }) => check === "role-assigned" && state === "skipped").map(({ subject }) => subject)).toEqual(
    [groups.managed, groups.vnet, "dns"].map(
      (group) => `role assignment Azure Red Hat OpenShift Cluster Ingress Operator for ingress on resource group ${group}`,
    ),
  );
  expect(findings(results)).toEqual(["principals-exist/11 identities in the directory failed"]);
});

test("verify and the plan of create recognize swapped identities in the files", async () => {
  const state = await withRoles();
  const { disk, file } = controlPlane;
  await fileOf(state, "cp.json", { ...controlPlane, disk: file, file: disk });
  const crossed = await state.verify();
  expect(findings(crossed)).toHaveLength(4);
  expect(rowOf(crossed, "role-assigned", diskRole)).toMatchObject({
    evidence: expect.stringMatching(/belongs to another identity in the same files$/) as string,
    next: expect.stringMatching(/^first find out which of the two is correct: `aro-hcp verify identities /) as string,
  });
  const plan = await state.cli(["create", "infra", "--cloud", "local", ...shellWords(state.command).slice(3), "--dry-run"]);
  expect(plan.stdout + plan.stderr).toMatch(
    /for disk on resource group \S+: .*held by the identity of file; if that is correct, the two are swapped/,
  );
});

test("unavailable roles and unreadable resources are reported by name", async () => {
  const state = await withRoles();
  const missing = { error: { code: "RoleDefinitionDoesNotExist", message: "gone" } };
  const denied = { error: { code: "AuthorizationFailed", message: "no" } };
  const struck = await state.struck([
    { path: "/roleDefinitions/fc0c873f-[0-9a-f-]+$", times: 100, answer: { status: 404, body: missing } },
    { method: "GET", path: "/loadBalancers/demo-x7k2$", times: 100, answer: { status: 403, body: denied } },
  ]);
  const refused = await struck.verify();
  expect(findings(refused)).toEqual([`resource-exists/${subjects.balancer} failed`, "roles-defined/hosted control plane roles failed"]);
  expect(rowOf(refused, "resource-exists", subjects.balancer).evidence).toMatch(/^ARO-[A-Z]+-\d+: /);
  expect(rowOf(refused, "roles-defined", "hosted control plane roles").next).toBe("run without --assign-custom-hcp-roles");
});

test("without --assign-custom-hcp-roles, as the advice says, other roles are missing, and the advised command creates them", async () => {
  const state = await withRoles();
  const without = verifying(state.command.replace("--assign-custom-hcp-roles", ""));
  // The tags record the original flags; a flag that is explicitly false takes precedence.
  const off = { env: { ARO_HCP_ASSIGN_CUSTOM_HCP_ROLES: "false" } };
  const failed = failedIn(exits(await state.cli([...without, "-o", "json"], off), 6).stdout);
  expect(new Set(failed.map(({ check }) => check))).toEqual(new Set(["role-assigned"]));
  await firstLine(advised(state), failed[0] ?? rowOf([], "role-assigned", "any"));
  exits(await state.cli(without, off), 0);
});

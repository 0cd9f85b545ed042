/** What each step of `create infra` decides about what it finds. */
import { describe, expect, test } from "vitest";
import type { Step } from "../../../src/engine/step.js";
import { asMade, decided, predicted, stepOf } from "../../steps/decisions.js";

type Live = Readonly<Record<string, unknown>>;
/** What is found, in words; what that is, from what the step itself makes; what is decided. */
type Case = readonly [what: string, live: (made: Live) => unknown, decision: RegExp];

const theirs = { tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "other" } };

/** A part of the made resource, changed. */
function changed(made: Live, key: string, change: object): Live {
  const [first, ...others] = made[key] as object[];
  return { ...made, [key]: [{ ...first, ...change }, ...others] };
}

const owned: readonly Case[] = [
  ["nothing", () => undefined, /^create$/],
  ["what it makes itself", (made) => made, /^keep$/],
  ["tags of others beside ours", (made) => ({ ...made, tags: { ...(made["tags"] as object), team: "x" } }), /^keep$/],
  ["no tags", ({ tags: _none, ...made }) => made, /^refuse ARO-OWN-001: .* exists but has a different owner$/],
  ["one of our tags", (made) => ({ ...made, tags: { "aro-hcp-name": "demo" } }), /^refuse ARO-OWN-001/],
  ["the tags of another cluster", (made) => ({ ...made, ...theirs }), /^refuse ARO-OWN-001/],
];
const otherLetters = (made: Live) => ({ ...made, tags: { "ARO-HCP-NAME": "demo", "Aro-Hcp-Infra-Id": "demo-x7k2" } });
const atRest: readonly Case[] = [
  ["our tags in other letters", otherLetters, /^keep$/],
  ["a failed one", (made) => ({ ...made, provisioningState: "Failed" }), /^update: provisioningState$/],
  ["a canceled one", (made) => ({ ...made, provisioningState: "Canceled" }), /^update: provisioningState$/],
  ["a failed one of others", (made) => ({ ...made, ...theirs, provisioningState: "Failed" }), /^refuse ARO-OWN-001/],
  ["one in flight", (made) => ({ ...made, provisioningState: "Updating" }), /^wait: Updating$/],
  ["one of others in flight", (made) => ({ ...made, ...theirs, provisioningState: "Deleting" }), /^wait: Deleting$/],
];
const located: readonly Case[] = [
  ["one elsewhere", (made) => ({ ...made, location: "westus3" }), /^refuse ARO-OWN-002: .* is in westus3, not in eastus$/],
  ["its location by the name for people", (made) => ({ ...made, location: "East US" }), /^keep$/],
];

const cases: Readonly<Record<string, readonly Case[]>> = {
  "managed-group": [
    ...owned,
    ...located,
    ["our tags in other letters", otherLetters, /^keep$/],
    ["one that goes", (made) => ({ ...made, properties: { provisioningState: "Deleting" } }), /^wait: Deleting$/],
  ],
  nsg: [
    ...owned,
    ...atRest,
    ...located,
    ["rules of the cloud provider", (made) => ({ ...made, securityRules: [{ name: "k8s", priority: 500 }] }), /^keep$/],
  ],
  vnet: [
    ...owned,
    ...atRest,
    ...located,
    [
      "another range",
      (made) => ({ ...made, addressSpace: { addressPrefixes: ["10.8.0.0/16"] } }),
      /^refuse ARO-OWN-002: .*not 10\.0\.0\.0\/16$/,
    ],
    ["one range more", (made) => ({ ...made, addressSpace: { addressPrefixes: ["10.8.0.0/16", "10.0.0.0/16"] } }), /^keep$/],
    ["no subnet", (made) => ({ ...made, subnets: [] }), /^update: subnets\[default\]$/],
    ["the subnet in other letters", (made) => changed(made, "subnets", { name: "Default" }), /^keep$/],
    ["a subnet of others", (made) => ({ ...made, subnets: [...(made["subnets"] as object[]), { name: "apps" }] }), /^keep$/],
    ["another range of the subnet", (made) => changed(made, "subnets", { addressPrefix: "10.0.8.0/24" }), /^refuse ARO-OWN-002: subnet/],
    [
      "the range of the subnet as a list",
      (made) => changed(made, "subnets", { addressPrefix: undefined, addressPrefixes: ["10.0.0.0/24"] }),
      /^keep$/,
    ],
    [
      "a subnet without security group",
      (made) => changed(made, "subnets", { networkSecurityGroup: undefined }),
      /^update: subnets\[default\]\.networkSecurityGroup$/,
    ],
    [
      "a subnet with another security group",
      (made) => changed(made, "subnets", { networkSecurityGroup: { id: "/subscriptions/x/other" } }),
      /^refuse ARO-OWN-002: .* has a different network security group$/,
    ],
    [
      "a failed one with another range",
      (made) => ({ ...made, provisioningState: "Failed", addressSpace: { addressPrefixes: ["10.8.0.0/16"] } }),
      /^refuse ARO-OWN-002/,
    ],
    [
      "a failed one without subnet",
      (made) => ({ ...made, provisioningState: "Failed", subnets: [] }),
      /^update: provisioningState, subnets/,
    ],
  ],
  "public-ip": [
    ...owned,
    ...atRest,
    ...located,
    ["a Basic one", (made) => ({ ...made, sku: { name: "Basic" } }), /^refuse ARO-OWN-002: .* is Basic and Static, not/],
    ["a dynamic one", (made) => ({ ...made, publicIPAllocationMethod: "Dynamic" }), /^refuse ARO-OWN-002/],
    ["another idle timeout", (made) => ({ ...made, idleTimeoutInMinutes: 30 }), /^keep$/],
  ],
  "load-balancer": [
    ...owned,
    ...atRest,
    ...located,
    ["a Basic one", (made) => ({ ...made, sku: { name: "Basic" } }), /^refuse ARO-OWN-002: .* is Basic, not Standard$/],
    ["no outbound rule", (made) => ({ ...made, outboundRules: [] }), /^update: outboundRules\[demo-x7k2\]$/],
    ["no probe and no pool", (made) => ({ ...made, probes: [], backendAddressPools: [] }), /^update: backendAddressPools\S+, probes\S+$/],
    ["a probe that somebody changed", (made) => changed(made, "probes", { port: 1 }), /^keep$/],
    [
      "a frontend with another address",
      (made) => changed(made, "frontendIPConfigurations", { publicIPAddress: { id: "/subscriptions/x/other" } }),
      /^refuse ARO-OWN-002: frontend "demo-x7k2" of .* has a different public IP address$/,
    ],
    ["parts of services beside ours", (made) => ({ ...made, probes: [...(made["probes"] as object[]), { name: "svc" }] }), /^keep$/],
  ],
  "private-zone": [...owned, ...atRest],
  "private-zone-link": [
    ...owned,
    ...atRest,
    ["one that registers", (made) => ({ ...made, registrationEnabled: true }), /^update: registrationEnabled$/],
    [
      "one to another network",
      (made) => ({ ...made, virtualNetwork: { id: "/subscriptions/x/other" } }),
      /^refuse ARO-OWN-002: .* links a different virtual network$/,
    ],
    ["one to no network", (made) => ({ ...made, virtualNetwork: undefined }), /^refuse ARO-OWN-002/],
  ],
};

describe.each(Object.entries(cases))("%s", (id, its) => {
  test.each(its)("finds %s", (_what, live, decision) => {
    const step = stepOf("infra", id);
    expect(decided(step, live(asMade(step)))).toMatch(decision);
  });
});

const found = { id: "/subscriptions/x", name: "found", location: "eastus", provisioningState: "Succeeded" };
const nsgId =
  "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/theirs/providers/Microsoft.Network/networkSecurityGroups/theirs";
const workers =
  "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/theirs/providers/Microsoft.Network/virtualNetworks/theirs/subnets/workers";
const subnet = (more: object = {}) => ({ ...found, id: workers, name: "workers", networkSecurityGroup: { id: nsgId }, ...more });

const lookups: readonly (readonly [graph: string, id: string, what: string, live: unknown, decision: RegExp])[] = [
  [
    "infra",
    "public-zone",
    "nothing",
    undefined,
    /^refuse ARO-DNS-001: public DNS zone "hcp.example.com" not found in resource group "dns"$/,
  ],
  ["infra", "public-zone", "one", [found], /^use$/],
  ["infra", "public-zone", "two of the name", [found, found], /^refuse ARO-DNS-002: 2 public DNS zones/],
  ["infra existingGroup", "managed-group", "nothing", undefined, /^refuse ARO-OWN-003: .* does not exist$/],
  ["infra existingGroup", "managed-group", "a group of anybody", found, /^use$/],
  ["infra existingGroup", "managed-group", "a group elsewhere", { ...found, location: "westus3" }, /^refuse ARO-OWN-003: .* is in westus3/],
  ["infra nsg", "nsg", "nothing", undefined, /^refuse ARO-OWN-003: .* does not exist$/],
  ["infra nsg", "nsg", "one of anybody", found, /^use$/],
  ["infra nsg", "nsg", "one elsewhere", { ...found, location: "westus3" }, /^refuse ARO-OWN-003/],
  [
    "infra nsg",
    "nsg",
    "a failed one",
    { ...found, provisioningState: "Failed" },
    /^refuse ARO-OWN-003: .* the provisioning state of its last operation is Failed$/,
  ],
  ["infra vnet", "vnet", "nothing", undefined, /^refuse ARO-OWN-003/],
  ["infra vnet", "vnet", "one subnet", { ...found, subnets: [subnet()] }, /^use$/],
  ["infra vnet", "vnet", "two subnets, none specified", { ...found, subnets: [subnet(), subnet({ id: "/x" })] }, /^refuse ARO-/],
  ["infra vnet", "vnet", "no subnet", { ...found, subnets: [] }, /^refuse ARO-/],
  [
    "infra vnet",
    "vnet",
    "a subnet without security group",
    { ...found, subnets: [subnet({ networkSecurityGroup: undefined })] },
    /^refuse ARO-/,
  ],
  ["infra vnet subnet", "vnet", "two subnets, one specified", { ...found, subnets: [subnet({ id: "/x" }), subnet()] }, /^use$/],
  [
    "infra vnet subnet",
    "vnet",
    "other subnets than the one that is named",
    { ...found, subnets: [subnet({ id: "/x" })] },
    /^refuse ARO-OWN-003: subnet "workers" is not in/,
  ],
];

test.each(lookups)("%s: %s finds %s", (graph, id, _what, live, decision) => {
  expect(decided(stepOf(graph, id), live)).toMatch(decision);
});

const contributor = { principalId: "p-0", roleDefinitionId: "" };

/** The role that the step assigns, as its own change says it. */
function roleIn(step: Step<unknown>): string {
  const decision = step.declared.decide({ named: contributor }, holding(step), new Date());
  const change = decision.act === "replace" ? decision.changes.find(({ path }) => path === "roleDefinitionId") : undefined;
  return String(change?.to);
}

/** The first identity of the files has the object ID p-0. */
const holding = (step: Step<unknown>) => ({ ...predicted(step), holder: new Map([["client-0", "p-0"]]) });

const assignments: readonly (readonly [what: string, live: (equal: object) => unknown, decision: RegExp])[] = [
  ["no assignment", () => undefined, /^create$/],
  ["ours", (equal) => ({ named: equal }), /^keep$/],
  ["an equal one under another name", (equal) => ({ equal }), /^use$/],
  ["ours of another principal", (equal) => ({ named: { ...equal, principalId: "p-9" } }), /^replace: principalId$/],
  ["ours of another role", (equal) => ({ named: { ...equal, roleDefinitionId: "/roleDefinitions/other" } }), /^replace: roleDefinitionId$/],
  [
    "ours of another principal, and an equal one",
    (equal) => ({ named: { ...equal, principalId: "p-9" }, equal }),
    /^replace: principalId$/,
  ],
];

test.each(assignments)("a role assignment: %s", (_what, live, decision) => {
  const step = stepOf("infra files", "role-cpo-managed");
  const equal = { principalId: "p-0", roleDefinitionId: `/roleDefinitions/${roleIn(step)}`, principalType: "ServicePrincipal" };
  expect(decided(step, live(equal), { outputs: holding(step) })).toMatch(decision);
});

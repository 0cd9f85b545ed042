/** An estate of thirty clusters C01–C30, of every tool and in every state, in four subscriptions: what each left in Azure. */
import { groupNames, type Naming } from "../../src/domain/names.js";
import { resourceGroupId } from "../../src/domain/resource-id.js";
import { wellKnown } from "../../src/emulator/index.js";
import { changeState } from "../harness/state-changes.js";
import type { TestEmulator } from "../harness/test-emulator.js";
import { ccoctlIssuer, publishIssuer } from "./ccoctl-seed.js";
import {
  applications,
  clusterKey,
  dnsScope,
  guid,
  inGroupAlone,
  inOneGroup,
  inOwnNetwork,
  of2022,
  oldApplications,
  oldZone,
  onOwnNetwork,
  own,
  ownNetworkGroup,
  principals,
  roles,
  scopesOf,
  scriptedCluster,
  set,
  workloadIdentities,
} from "./cluster-parts.js";
import { cluster, group, inGroup, merged, network, seedInOrder, type Cluster, type Seed } from "./estate-seed.js";

const dayMs = 86_400_000;

/** `unreadable` is in the tenant, and no role of the caller is in it. */
export const subscriptions = {
  production: wellKnown.subscriptionId,
  development: "5b5c0000-0000-4000-8000-0000000000b2",
  disabled: "5b5c0000-0000-4000-8000-0000000000b3",
  delegated: "5b5c0000-0000-4000-8000-0000000000b4",
  unreadable: "5b5c0000-0000-4000-8000-0000000000b5",
} as const;

/** Another organization's. */
const foreignTenant = "7e7a0000-0000-4000-8000-0000000000f2";

/** What `list` says of the thirty, in its order: nothing of c14 and c22: only their role assignments are left. */
export const listed: readonly string[] = [
  ...["c01/i01x", "c02/i02x", "c03/i03x", "c04/i04x", "c05/i05x", "c06/i06x", "c07/i07x", "c08/i08x", "c09/i09x", "c10/i10x"].map(
    (name) => `clusters ${name} of aro-hcp`,
  ),
  "clusters c11/i11x of aro-hcp, no load balancer or NAT gateway",
  "clusters c12/i12x of aro-hcp, no private DNS zone, no load balancer or NAT gateway",
  "clusters c13/i13x of aro-hcp, no private DNS zone, no load balancer or NAT gateway",
  ...["c15/i15x", "c16/i16x", "c17/i17x", "c18/i18x", "c19/i19x", "c20/i20x", "c21/i21x", "c23/i23x"].map(
    (name) => `clusters ${name} of hypershift`,
  ),
  "clusters c24 of contrib scripts",
  "clusters c25 of contrib scripts, no resource group c25-managed-rg, no resource group c25-customer-vnet-rg",
  "clusters c26-ab1cd of openshift-install",
  "clusters c27-ab1cd of openshift-install",
  "clusters c28 of Cluster API",
  "clusters c29 of ARO",
  "clusters c30 of ARO HCP service",
];

/** The flags of the `adopt infra` of each cluster that it takes over. */
export const adoptable: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([15, 17, 18, 19, 20, 21, 23].map((number) => [clusterKey(number).name, flagsOf(clusterKey(number))])),
  c16: [...flagsOf(clusterKey(16)), "--resource-group-name", "c16-group"],
  c24: [...flagsOf({ ...clusterKey(24), name: "c24-hc" }), "--resource-group-name", "c24-managed-rg"],
};

/** Never adopted, whatever flags name them. */
export const foreign: readonly (readonly string[])[] = [
  ["--name", "c27", "--infra-id", "ab1cd"],
  ["--name", "c28", "--infra-id", "ab1cd"],
  ["--name", "c29", "--infra-id", "ab1cd", "--resource-group-name", "c29"],
  ["--name", "c30", "--infra-id", "ab1cd", "--resource-group-name", "c30"],
];

function flagsOf({ name, infraId }: { readonly name: string; readonly infraId: string }): readonly string[] {
  return ["--name", name, "--infra-id", infraId];
}

/** Adds the thirty. `now` is the date that ages and ends of credentials count from. */
export async function seedThirtyClusters(azure: TestEmulator, now = new Date()): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const { production, development, disabled, delegated, unreadable } = subscriptions;
  await azure.seed({
    subscriptions: [
      { subscriptionId: production, displayName: "production" },
      { subscriptionId: development, displayName: "development" },
      { subscriptionId: disabled, displayName: "closed", state: "Disabled" },
      { subscriptionId: delegated, displayName: "delegated", tenantId: foreignTenant, managedByTenants: [wellKnown.tenantId] },
      { subscriptionId: unreadable, displayName: "unreadable" },
    ],
    roleAssignments: [
      ...[production, development].map((id) => ({ scope: `/subscriptions/${id}`, role: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635" })),
      ...[disabled, delegated].map((id) => ({ scope: `/subscriptions/${id}`, role: "acdd72a7-3385-48ef-bd42-f606fba81ae7" })),
    ].map((one) => ({ ...one, name: guid(`caller ${one.scope}`), principalId: wellKnown.clientPrincipalId })),
  });

  const taken = new Set<string>();
  const made = (number: number, naming: Naming, of: string, more: Partial<Cluster> & { readonly age?: number } = {}) => {
    const { age = 100, subscriptionId = production, without = [], ...rest } = more;
    const key = clusterKey(number);
    const groups = scopesOf(groupNames(naming, key), subscriptionId);
    return merged([
      cluster({ ...key, naming, subscriptionId, without: [...without, "roles"], ...rest }),
      ...(without.includes("roles") ? [] : [roles(key, { principals: principals(of), groups, createdOn: ago(age) }, taken)]),
    ]);
  };
  const ours = (number: number, of: string, more: Parameters<typeof made>[3] = {}, naming: Naming = "documented") =>
    made(number, naming, of, { tags: own(clusterKey(number)), ...more });
  const c = clusterKey;

  await seedInOrder(
    azure,
    merged([
      set("set-a"),
      set("c05"),
      set("c06"),
      group(ownNetworkGroup),
      inGroup(ownNetworkGroup, "Microsoft.Network/networkSecurityGroups", "corp"),
      inGroup(ownNetworkGroup, "Microsoft.Network/virtualNetworks", "corp", {
        properties: { ...network.properties, subnets: [{ name: "workers", properties: { addressPrefix: "10.0.0.0/24" } }] },
      }),
      ...[1, 2, 3, 4].map((number) => ours(number, "set-a", { age: 200 - number, ...(number > 2 && { subscriptionId: development }) })),
      ours(5, "c05"),
      ours(6, "c06", { age: 400 }),
      inOwnNetwork(7, roles(c(7), { principals: principals("set-a"), groups: onOwnNetwork(c(7)), createdOn: ago(50) }, taken)),
      ours(8, "set-a", { tags: { "ARO-HCP-Name": "c08", "ARO-HCP-Infra-Id": "i08x" } }),
      ours(9, "set-a", {}, "hypershift"),
      ours(10, "set-a", {}, "hypershift"),
      ours(11, "set-a", { without: ["roles", "balancer"] }),
      ours(12, "set-a", { without: ["roles", "balancer", "zone"] }),
      group("c13-i13x-nsg", own(c(13))),
      ...[14, 22].map((number) => {
        // The managed identities of c14 and c22 are gone, and their roles on what outlives a cluster are left.
        const groups = number === 14 ? { dns: dnsScope, vnet: onOwnNetwork(c(14)).vnet } : { dns: dnsScope };
        return roles(c(number), { principals: principals(`gone c${String(number)}`), groups, createdOn: ago(90) }, taken);
      }),
      applications("c15"),
      made(15, "hypershift", "c15", { age: 80 }),
      inOneGroup(
        16,
        "c16-group",
        roles(c(16), { principals: principals("c16"), groups: inGroupAlone("c16-group"), createdOn: ago(70) }, taken),
      ),
      applications("c16"),
      workloadIdentities(17, "c17-iam"),
      made(17, "hypershift", "c17", { age: 60 }),
      made(18, "hypershift", "c15", { age: 40 }),
      oldZone(19, made(19, "hypershift", "c19", { age: 500 })),
      applications("c19"),
      oldZone(20, made(20, "hypershift", "c20", { without: ["roles"] })),
      roles(
        c(20),
        { principals: principals("c20"), groups: scopesOf(groupNames("hypershift", c(20)), production), createdOn: ago(700), random: true },
        taken,
      ),
      oldApplications("c20", "i20x"),
      of2022(21),
      applications("c23"),
      made(23, "hypershift", "c23", { age: 20 }),
      scriptedCluster(24, ["managed-rg", "customer-vnet-rg", "customer-nsg-rg"]),
      scriptedCluster(25, ["customer-nsg-rg"]),
      ...others(),
    ]),
  );
  await publishIssuer(azure, "c26");
  await setDates(azure, now);
}

/** What other tools and services made: installer with ccoctl, installer alone, Cluster API, classic ARO, ARO HCP. */
function others(): Seed[] {
  const { production } = subscriptions;
  const service = (name: string, type: string) => {
    const id = `${resourceGroupId(production, name)}/providers/${type}/${name}`;
    const managed = `${name}-managed`;
    const scope = resourceGroupId(production, managed);
    const properties = {
      ...{ denyAssignmentName: managed, scope, isSystemProtected: true },
      permissions: [{ actions: ["*/delete", "*/write"] }],
      principals: [{ id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" }],
    };
    const deny = `${scope}/providers/Microsoft.Authorization/denyAssignments/${guid(`deny ${name}`)}`;
    return merged([
      group(name),
      inGroup(name, type, name),
      group(managed, {}, { managedBy: id }),
      { resources: { [deny]: { properties } } },
    ]);
  };
  return [
    ccoctlIssuer("c26"),
    group("c26", { "openshift.io_cloud-credential-operator_c26": "owned", "kubernetes.io_cluster.c26-ab1cd": "owned" }),
    inGroup("c26", "Microsoft.Network/virtualNetworks", "c26-ab1cd-vnet", {
      ...network,
      tags: { "kubernetes.io_cluster.c26-ab1cd": "owned" },
    }),
    group("c27-ab1cd-rg", { "kubernetes.io_cluster.c27-ab1cd": "owned" }),
    inGroup("c27-ab1cd-rg", "Microsoft.Network/virtualNetworks", "c27-ab1cd-vnet", {
      ...network,
      tags: { "kubernetes.io_cluster.c27-ab1cd": "owned" },
    }),
    group("c28", { "sigs.k8s.io_cluster-api-provider-azure_cluster_c28": "owned" }),
    inGroup("c28", "Microsoft.Network/virtualNetworks", "c28-vnet", {
      ...network,
      tags: { "sigs.k8s.io_cluster-api-provider-azure_cluster_c28": "owned" },
    }),
    service("c29", "Microsoft.RedHatOpenShift/openShiftClusters"),
    service("c30", "Microsoft.RedHatOpenShift/hcpOpenShiftClusters"),
  ];
}

/** Ages of resources in days; 100 of all others. */
const ages: Readonly<Record<string, number>> = { c11: 2 / 24, c12: 40 };
/** Days until the certificates of a set end; 300 of all others. */
const ends: Readonly<Record<string, number>> = { c05: 10, c06: -1 };

async function setDates(azure: TestEmulator, now: Date): Promise<void> {
  await changeState(azure, ({ resources, applications: all }) => {
    for (const [id, stored] of Object.entries(resources)) {
      const [, name = ""] = /\/resourcegroups\/(c\d\d)-/.exec(id) ?? [];
      if (stored) stored.createdAt = now.getTime() - (ages[name] ?? 100) * dayMs;
    }
    for (const application of Object.values(all)) {
      const [, name] = /^aro-hcp\.[^.]+\.[^.]+\.([^.]+)\.[^.]+$/.exec(application.uniqueName ?? "") ?? [];
      if (name === undefined) continue;
      const at = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
      const dates = { startDateTime: at(-365), endDateTime: at(ends[name] ?? 300), addedAt: now.getTime() - 365 * dayMs };
      const keyId = guid(`key ${application.appId}`);
      application.tags = [`aro-hcp-identities:${name}`];
      application.keyCredentials = [
        { keyId, displayName: null, customKeyIdentifier: keyId.replaceAll("-", "").toUpperCase(), key: "", ...dates },
      ];
    }
  });
}

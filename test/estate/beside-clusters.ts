/** What stands beside the thirty clusters of an estate: rests that nobody uses, rests that somebody does, and lookalikes. */
import { controlPlaneComponents } from "../../src/domain/components.js";
import { applicationUniqueName, defaultVaultName, persistentGroupName } from "../../src/domain/identity-names.js";
import { defaultAccountName, issuerGroupName } from "../../src/domain/issuer.js";
import { resourceGroupId } from "../../src/domain/resource-id.js";
import { connectedAzure } from "../harness/connected-azure.js";
import type { TestEmulator } from "../harness/test-emulator.js";
import { ccoctlTags } from "./ccoctl-seed.js";
import { commonGroup, guid, own, ownNetworkGroup, publicIp, storage, trusting, vault } from "./cluster-parts.js";
import { wellKnown } from "../../src/emulator/index.js";
import { group, inGroup, merged, network, type Seed } from "./estate-seed.js";
import { subscriptions } from "./thirty-clusters.js";

const { production, disabled, delegated, unreadable } = subscriptions;

const corp = `${resourceGroupId(production, ownNetworkGroup)}/providers/Microsoft.Network/virtualNetworks/corp`;

const setTags = (name: string) => ({ "aro-hcp-identities": name });

/** Issuers that no visible credential trusts; the second is trusted from the unreadable subscription. */
const issuersNobodyTrusts = ["lone1", "lone2"] as const;

/** Vaults that are soft-deleted. */
const deletedVaults = {
  ours: defaultVaultName(placeOf("gone1")),
  oursProtected: defaultVaultName(placeOf("gone2")),
  foreign: "their-vault",
} as const;

/** Groups with tags of a set that is gone, and what is in them. */
const emptyGroups = [persistentGroupName("gone1"), issuerGroupName("gone2")] as const;
const heldGroups = {
  foreignInterface: persistentGroupName("held1"),
  locked: persistentGroupName("held2"),
  disabled: persistentGroupName("held3"),
  delegated: persistentGroupName("held4"),
} as const;

/** Node groups of AKS clusters: of one that is gone, and of one that cannot be read. */
const nodeGroups = { gone: "MC_gone_gone_eastus", unreadable: "MC_far_far_eastus" } as const;

/** What ccoctl and the scripts left: only a person can know that nobody needs it. */
const unused = {
  installationGroup: "left3",
  customRole: "left3-openshift-ingress",
  identity: "azure-disk-MI-c25",
  account: "goneissuer",
} as const;

/** All of them by name, for tests about what is left over. */
export const beside = { issuersNobodyTrusts, deletedVaults, emptyGroups, heldGroups, nodeGroups, unused } as const;

function placeOf(name: string) {
  return { subscriptionId: production, groupName: persistentGroupName(name), name };
}

export async function seedBeside(azure: TestEmulator, now = new Date()): Promise<void> {
  const inState = (state: string) => azure.seed({ subscriptions: [{ subscriptionId: disabled, state }] });
  await inState("Enabled");
  await azure.seed(
    merged([
      ...issuersNobodyTrusts.map(issuer),
      ...emptyGroups.map((name, at) => group(name, setTags(`gone${String(at + 1)}`))),
      group(heldGroups.foreignInterface, setTags("held1")),
      inGroup(heldGroups.foreignInterface, "Microsoft.Network/networkInterfaces", "theirs", {
        properties: { ipConfigurations: [{ name: "theirs", properties: { subnet: { id: `${corp}/subnets/workers` } } }] },
      }),
      group(heldGroups.locked, setTags("held2")),
      {
        resources: {
          [`${resourceGroupId(production, heldGroups.locked)}/providers/Microsoft.Authorization/locks/keep`]: {
            properties: { level: "CanNotDelete" },
          },
        },
      },
      group(heldGroups.disabled, setTags("held3"), {}, disabled),
      group(heldGroups.delegated, setTags("held4"), {}, delegated),
      // Tags that a policy has copied.
      group("team-a", { ...setTags("set-a"), ...own({ name: "c01", infraId: "i01x" }) }),
      inGroup("team-a", "Microsoft.Network/virtualNetworks", "team", { ...network, tags: own({ name: "c01", infraId: "i01x" }) }),
      ...Object.entries(nodeGroups).map(([of, name]) => {
        const [, cluster = ""] = name.split("_");
        const subscriptionId = of === "gone" ? production : unreadable;
        const managedBy = `${resourceGroupId(subscriptionId, cluster)}/providers/Microsoft.ContainerService/managedClusters/${cluster}`;
        return group(name, {}, { managedBy });
      }),
      // One name begins with the other, and neither is a cluster's.
      group("addresses"),
      ...["x7k2", "x7k2a"].map((name) => inGroup("addresses", "Microsoft.Network/publicIPAddresses", name, publicIp)),
      group(unused.installationGroup, ccoctlTags(unused.installationGroup)),
      trusting(commonGroup, unused.identity, `https://${unused.account}.blob.core.windows.net/${unused.account}`),
      customRole(unused.customRole, "Custom role for OpenShift. Owned by: left3"),
      customRole("theirs", "For the team."),
      customRole("used3-openshift-ingress", "Custom role for OpenShift. Owned by: used3"),
      {
        resources: {},
        roleAssignments: [
          {
            scope: resourceGroupId(production, "team-a"),
            role: guid("used3-openshift-ingress"),
            name: guid("used3"),
            principalId: guid("living used3"),
          },
        ],
      },
      deletedApplications(now),
    ]),
  );
  await inState("Disabled");
  await deleteVaults(azure);
}

function customRole(roleName: string, description: string): Seed {
  const scope = `/subscriptions/${production}`;
  const permissions = [{ actions: ["Microsoft.Network/dnsZones/read"] }];
  const properties = { roleName, type: "CustomRole", description, permissions, assignableScopes: [scope] };
  return { resources: { [`${scope}/providers/Microsoft.Authorization/roleDefinitions/${guid(roleName)}`]: { properties } } };
}

function issuer(name: string): Seed {
  const [tags, groupName] = [setTags(name), issuerGroupName(name)];
  const account = defaultAccountName({ subscriptionId: production, groupName, name });
  return merged([group(groupName, tags), inGroup(groupName, "Microsoft.Storage/storageAccounts", account, { tags, ...storage })]);
}

/** Those of a set that is gone, and one that only has a name like them. */
function deletedApplications(now: Date): Seed {
  const deletedDateTime = new Date(now.getTime() - 3 * 86_400_000).toISOString();
  const all = controlPlaneComponents.filter(({ field }) => field !== "kms");
  const ours = all.map(({ key }) => ({
    owners: [wellKnown.clientPrincipalId],
    ...{ appId: guid(`deleted ${key}`), displayName: `gone1-${key}`, deletedDateTime },
    uniqueName: applicationUniqueName(placeOf("gone1"), { key }),
  }));
  return { resources: {}, applications: [...ours, { appId: guid("deleted lookalike"), displayName: "gone1-cpo", deletedDateTime }] };
}

async function deleteVaults(azure: TestEmulator): Promise<void> {
  const groupName = "their-vaults";
  const { ours, oursProtected, foreign } = deletedVaults;
  const homes = [
    { name: ours, home: persistentGroupName("gone1"), tags: setTags("gone1"), enablePurgeProtection: false },
    { name: oursProtected, home: persistentGroupName("gone2"), tags: setTags("gone2"), enablePurgeProtection: true },
    { name: foreign, home: groupName, tags: {}, enablePurgeProtection: false },
  ];
  await azure.seed(
    merged([
      group(groupName),
      group(persistentGroupName("gone2"), setTags("gone2")),
      ...homes.map(({ name, home, tags, enablePurgeProtection }) => {
        const properties = { ...vault.properties, ...(enablePurgeProtection && { enablePurgeProtection }) };
        return inGroup(home, "Microsoft.KeyVault/vaults", name, { tags, properties });
      }),
    ]),
  );
  const { vaults } = await (await connectedAzure(azure.directory)).vaults();
  for (const { name, home } of homes) await vaults.delete(home, name);
}

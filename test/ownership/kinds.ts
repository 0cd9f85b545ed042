/** Every kind that a destroy deletes, and what others may have of one: their tag on it, a use of it, or something in it. */
import { ownerTags } from "../../src/domain/ownership.js";
import { cryptoServiceUser } from "../../src/domain/roles.js";
import { wellKnown } from "../../src/emulator/index.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import type { MemoryAzure } from "../harness/memory-azure.js";

/** Of one thing that a destroy would delete. */
export interface Subject {
  /** As Azure spells it. */
  readonly id: string;
  /** Its key among the entries of the state. */
  readonly entry: string;
}

/** What others do. */
type Others = (azure: MemoryAzure, subject: Subject) => Promise<void> | void;

/** Why it cannot happen, or why the destroy may delete it. */
type Reason = string;

export interface Kind {
  /** It also has the tag of another owner. */
  readonly tagged: Others | Reason;
  readonly used: Others | Reason;
  /** Something of others is in it. */
  readonly foreign: Others | Reason;
  /** Others come after the plan was shown. By default, with something in it, or else with a use. */
  readonly late?: Others | Reason;
}

export type Column = "tagged" | "used" | "foreign" | "late";

const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/theirs`;
const at = (path: string) => `${group}/providers/${path}`;
const location = "eastus";

const seeded = (resources: (id: string) => Readonly<Record<string, object>>): Others => {
  return ({ seed }, { id }) => seed({ resources: { [group]: { location }, ...resources(id) } });
};
const inside = (path: string, body: object = { properties: {} }) => seeded((id) => ({ [`${id}/${path}`]: body }));
const changed = (change: (state: AzureState, subject: Subject) => unknown): Others => {
  return (azure, subject) => azure.change((state) => change(state, subject));
};

/** Every other kind of owner, so that none is forgotten. */
const tagged = changed(({ resources }, { id }) => {
  const one = resources[id.toLowerCase()];
  if (one === undefined) throw new Error(`${id} not found`);
  const others = ownerTags.filter((tag) => one.tags?.[tag] === undefined).map((tag) => [tag, "theirs"] as const);
  one.tags = { ...one.tags, ...Object.fromEntries(others) };
});

/** The provider answers a key's tags itself. */
const taggedKey = changed(({ resources }, { id }) => {
  const { beside } = resources[id.toLowerCase()] ?? {};
  Object.assign((beside?.["tags"] as object | undefined) ?? {}, { "aro-hcp-arc": "theirs" });
});

/** Of a type that is not emulated. */
const user = (
  type: string,
  facts: (id: string) => { readonly beside?: Record<string, unknown>; readonly properties: Record<string, unknown> },
): Others =>
  changed(({ resources }, { id }) => {
    const theirs = {
      [group]: { id: group, type: "Microsoft.Resources/resourceGroups" },
      [at(`${type}/theirs`)]: { id: at(`${type}/theirs`), type },
    };
    for (const [key, one] of Object.entries(theirs))
      resources[key.toLowerCase()] = {
        ...one,
        name: "theirs",
        location,
        createdAt: 0,
        ...(one.type === type ? facts(id) : { properties: {} }),
      };
  });

const machine = user("Microsoft.Compute/virtualMachines", (id) => ({
  beside: { identity: { type: "UserAssigned", userAssignedIdentities: { [id]: {} } } },
  properties: {},
}));

/** A disk encryption set has this role on the key. */
const encryption: Others = ({ seed }, { id }) =>
  seed({ roleAssignments: [{ scope: id, role: cryptoServiceUser.id, principalId: "a1000000-0000-4000-8000-0000000000ff" }] });

const networkInterface = (properties: object) => ({
  [at("Microsoft.Network/virtualNetworks/theirs")]: {
    location,
    properties: {
      addressSpace: { addressPrefixes: ["10.99.0.0/16"] },
      subnets: [{ name: "theirs", properties: { addressPrefix: "10.99.0.0/24" } }],
    },
  },
  [at("Microsoft.Network/networkInterfaces/theirs")]: { location, properties },
});
const ownSubnet = { subnet: { id: `${at("Microsoft.Network/virtualNetworks/theirs")}/subnets/theirs` } };

const nothingInside = "nothing can be in it";
const noTags = "Azure has no tags for it";
const children = "docs/destroy.md: children belong to their parent";
const oneUser = "Azure attaches it to one resource, which is the owner's";

export const kinds: Readonly<Record<string, Kind>> = {
  "Microsoft.Resources/resourceGroups": {
    tagged,
    used: "a group is used by what is in it",
    foreign: inside("providers/Microsoft.Network/routeTables/theirs", { location }),
  },
  "Microsoft.Network/virtualNetworks": {
    tagged,
    // With something in it: an empty subnet is a child.
    foreign: async ({ change, seed }, { id }) => {
      change(({ resources }) => {
        const facts = { name: "theirs", type: "Microsoft.Network/virtualNetworks/subnets" };
        const subnet = {
          id: `${id}/subnets/theirs`,
          ...facts,
          properties: { addressPrefix: "10.0.250.0/24", provisioningState: "Succeeded" },
        };
        resources[subnet.id.toLowerCase()] = subnet;
      });
      const properties = { ipConfigurations: [{ name: "one", properties: { subnet: { id: `${id}/subnets/theirs` } } }] };
      await seed({ resources: { [group]: { location }, [at("Microsoft.Network/networkInterfaces/theirs")]: { location, properties } } });
    },
    used: "only what is in a subnet uses a network",
  },
  "Microsoft.Network/networkSecurityGroups": {
    tagged,
    used: seeded((id) => networkInterface({ networkSecurityGroup: { id }, ipConfigurations: [{ name: "one", properties: ownSubnet }] })),
    foreign: children,
  },
  "Microsoft.Network/natGateways": {
    tagged,
    used: seeded((id) => ({
      [at("Microsoft.Network/virtualNetworks/theirs")]: {
        location,
        properties: {
          addressSpace: { addressPrefixes: ["10.99.0.0/16"] },
          subnets: [{ name: "theirs", properties: { addressPrefix: "10.99.0.0/24", natGateway: { id } } }],
        },
      },
    })),
    foreign: nothingInside,
  },
  "Microsoft.Network/loadBalancers": {
    tagged,
    used: "only networks of the cluster reach its backends",
    foreign: "its rules are those of the cluster's own Services",
    late: nothingInside,
  },
  "Microsoft.Network/publicIPAddresses": { tagged, used: oneUser, foreign: nothingInside, late: oneUser },
  "Microsoft.Network/privateDnsZones": { tagged, used: children, foreign: children, late: children },
  "Microsoft.Network/dnsZones": {
    tagged,
    used: "test/infra/used-by-others.test.ts: by clusters with its name",
    foreign: inside("A/theirs", { properties: { TTL: 60, ARecords: [{ ipv4Address: "198.51.100.1" }] } }),
  },
  "Microsoft.Network/dnsZones/NS": {
    tagged: noTags,
    used: "it is used by its name alone",
    foreign: changed(({ resources }, { id }) => {
      Object.assign(resources[id.toLowerCase()]?.properties ?? {}, { NSRecords: [{ nsdname: "ns1.theirs.example.com." }] });
    }),
    late: "the servers are compared when it is read",
  },
  "Microsoft.Network/dnsZones/A": {
    tagged: noTags,
    used: "it is used by its name alone",
    foreign: changed(({ resources }, { id }) => {
      Object.assign(resources[id.toLowerCase()]?.properties ?? {}, { ARecords: [{ ipv4Address: "198.51.100.1" }] });
    }),
    late: "the addresses are compared when it is read",
  },
  "Microsoft.KeyVault/vaults": { tagged, used: encryption, foreign: inside("keys/theirs", { properties: { kty: "RSA" } }) },
  "Microsoft.KeyVault/vaults/keys": { tagged: taggedKey, used: encryption, foreign: nothingInside, late: encryption },
  "Microsoft.ManagedIdentity/userAssignedIdentities": { tagged, used: machine, foreign: children, late: machine },
  "Microsoft.Storage/storageAccounts": {
    tagged,
    used: "test/infra/used-by-others.test.ts: by identities that trust its issuer",
    foreign: inside("blobServices/default/containers/theirs"),
  },
  "Microsoft.ContainerService/managedClusters": {
    tagged,
    used: "test/aks/cli/destroy-aks-shared.test.ts: by hosted control planes",
    foreign: "what is on it is in its node resource group",
    late: "what is on it is in its node resource group",
  },
  "node resource group": {
    tagged: "AKS owns it, with any tags",
    used: "a group is used by what is in it",
    foreign: inside("providers/Microsoft.Network/routeTables/theirs", { location }),
  },
  "Microsoft.Kubernetes/connectedClusters": {
    tagged,
    used: user("Microsoft.ExtendedLocation/customLocations", (id) => ({ properties: { hostResourceId: id } })),
    foreign: "docs/arc.md: extensions are deleted with it, and listed",
    late: inside("providers/Microsoft.KubernetesConfiguration/extensions/theirs", {
      identity: { type: "SystemAssigned" },
      properties: { extensionType: "microsoft.flux" },
    }),
  },
  "Microsoft.KubernetesConfiguration/extensions": {
    tagged: noTags,
    used: "an extension is used by its cluster alone",
    foreign: nothingInside,
    late: nothingInside,
  },
  "role assignment": {
    tagged: noTags,
    used: "test/cli/shared-roles.test.ts: by clusters with the same identity",
    foreign: nothingInside,
    late: nothingInside,
  },
  application: {
    tagged: "tags of applications prove nothing: test/identities/cli/planted-applications.test.ts",
    used: "its set is used: test/infra/used-by-others.test.ts",
    foreign: "test/cli/planted-destroys.test.ts: owners and credentials of others",
    late: "a credential of others that comes after the plan goes with the application",
  },
  "certificate and secret": {
    tagged: changed(({ vaults = {} }, { entry }) => {
      const [vault = "", , name = ""] = entry.split("/").slice(1);
      for (const version of vaults[vault]?.certificates[name]?.versions ?? []) version.tags = { ...version.tags, "aro-hcp-arc": "theirs" };
    }),
    used: "nothing in Azure shows who reads a secret",
    foreign: nothingInside,
    late: nothingInside,
  },
  "HSM key": {
    tagged: changed(({ managedHsms = {} }, { entry }) => {
      const [hsm = "", , name = ""] = entry.split("/").slice(1);
      for (const version of managedHsms[hsm]?.content.keys?.[name]?.versions ?? [])
        version.tags = { ...version.tags, "aro-hcp-arc": "theirs" };
    }),
    used: "test/infra/used-by-others.test.ts: by clusters of the set",
    foreign: nothingInside,
    late: nothingInside,
  },
  "HSM role assignment": {
    tagged: noTags,
    used: "a role on a key serves its principal alone",
    foreign: nothingInside,
    late: nothingInside,
  },
};

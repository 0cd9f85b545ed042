/** Parts of an estate of thirty clusters: sets, roles and clusters of each tool, as seeds. */
import { createHash } from "node:crypto";
import { assignedComponents, controlPlaneComponents, dataPlaneComponents, type RoleScope } from "../../src/domain/components.js";
import { applicationUniqueName, defaultVaultName, managedIdentityName, persistentGroupName } from "../../src/domain/identity-names.js";
import { groupNames, type ClusterKey, type GroupNames } from "../../src/domain/names.js";
import { resourceGroupId } from "../../src/domain/resource-id.js";
import { roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { workloadIdentityName } from "../../src/domain/workload-names.js";
import { wellKnown } from "../../src/emulator/index.js";
import { cluster, group, inGroup, merged, network, scripted, type Seed } from "./estate-seed.js";

const { subscriptionId: production } = wellKnown;

/** C01: cluster c01 with infra ID i01x. */
export function clusterKey(number: number): ClusterKey {
  const two = String(number).padStart(2, "0");
  return { name: `c${two}`, infraId: `i${two}x` };
}

/** The same for each text, and no GUID of the emulator's own. */
export function guid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The public zone of all clusters. */
export const dnsScope = resourceGroupId(production, wellKnown.dnsGroup);
/** The group of a network that others made. */
export const ownNetworkGroup = "corp-net";
/** What hypershift's scripts keep for all clusters. */
export const commonGroup = "os4-common";

type Principals = Readonly<Record<string, string>>;

export function own({ name, infraId }: ClusterKey): Readonly<Record<string, string>> {
  return { "aro-hcp-name": name, "aro-hcp-infra-id": infraId };
}

/** The object IDs of the service principals and managed identities of whatever `of` names, by component. */
export function principals(of: string): Principals {
  return Object.fromEntries([...controlPlaneComponents, ...dataPlaneComponents].map(({ key }) => [key, guid(`principal ${of} ${key}`)]));
}

interface Roles {
  readonly principals: Principals;
  readonly groups: Partial<Readonly<Record<RoleScope, string>>>;
  readonly createdOn: Date;
  /** Names that no tool can compute again. */
  readonly random?: boolean;
  readonly principalOf?: (scope: RoleScope) => string | undefined;
}

/** Every role of a cluster on the scopes. Azure has no second assignment of one role to one principal on one scope: `taken` has those made so far. */
export function roles({ infraId }: ClusterKey, { groups, createdOn, random = false, ...of }: Roles, taken: Set<string>): Seed {
  const all = assignedComponents.flatMap(({ key, assigned }) =>
    assigned.scopes.flatMap((scope) => {
      const id = groups[scope];
      return id === undefined ? [] : [{ key, assigned, scope: id }];
    }),
  );
  const roleAssignments = all.flatMap(({ key, assigned, scope }) => {
    const principalId = of.principals[key] ?? guid(`principal ${key}`);
    const triple = `${principalId}/${assigned.role.id}/${scope}`;
    if (taken.has(triple)) return [];
    taken.add(triple);
    const name = random ? guid(triple) : roleAssignmentName(infraId, assigned.hypershiftName, scope);
    return [{ scope, name, role: assigned.role.id, principalId, createdOn: createdOn.toISOString() }];
  });
  return { resources: {}, roleAssignments };
}

export function scopesOf({ managed, vnet, nsg }: GroupNames, subscriptionId: string): Readonly<Record<RoleScope, string>> {
  const [onManaged, onVnet, onNsg] = [managed, vnet, nsg].map((name) => resourceGroupId(subscriptionId, name));
  return { managed: onManaged ?? "", vnet: onVnet ?? "", nsg: onNsg ?? "", dns: dnsScope };
}

/** The set's group, vault, managed identities and applications, all of aro-hcp. */
export function set(name: string): Seed {
  const place = { subscriptionId: production, groupName: persistentGroupName(name), name };
  const tags = { "aro-hcp-identities": name };
  const { resources } = merged([
    group(place.groupName, tags),
    inGroup(place.groupName, "Microsoft.KeyVault/vaults", defaultVaultName(place), { tags, ...vault }),
  ]);
  return {
    resources,
    identities: dataPlaneComponents.map((component) =>
      identity(place.groupName, managedIdentityName({ name }, component), name, component.key, tags),
    ),
    applications: controlPlaneComponents
      .filter(({ field }) => field !== "kms")
      .map(({ key }) => ({ ...application(name, key), uniqueName: applicationUniqueName(place, { key }) })),
  };
}

export const vault = {
  properties: { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true },
} as const;

function identity(groupName: string, name: string, of: string, key: string, tags = {}) {
  const id = `${resourceGroupId(production, groupName)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  return { id, principalId: principals(of)[key], clientId: guid(`client ${of} ${key}`), tags };
}

function application(of: string, key: string) {
  return { appId: guid(`client ${of} ${key}`), displayName: `${of}-${key}`, servicePrincipalId: principals(of)[key] };
}

/** Of somebody else, for every component: names say nothing. */
export function applications(of: string): Seed {
  return { resources: {}, applications: assignedComponents.map(({ key }) => application(of, key)) };
}

/** As hypershift of 2024 named them: `<component>-<infra ID>`. */
export function oldApplications(of: string, infraId: string): Seed {
  const all = assignedComponents.map(({ key, assigned }) => ({
    ...application(of, key),
    displayName: `${assigned.hypershiftName}-${infraId}`,
  }));
  return { resources: {}, applications: all };
}

/** A cluster of aro-hcp in a network of others. */
export function inOwnNetwork(number: number, assigned: Seed): Seed {
  const key = clusterKey(number);
  const whole = cluster({ ...key, naming: "documented", tags: own(key), without: ["roles"] });
  const { managed, vnet } = groupNames("documented", key);
  const moved = Object.entries(whole.resources).flatMap(([id, body]) => {
    if (/privateDnsZones/.test(id)) return [[id.replace(`/${vnet}/`, `/${managed}/`), body] as const];
    return id.includes(`/${managed}-`) ? [] : [[id, body] as const];
  });
  return merged([{ resources: Object.fromEntries(moved) }, assigned]);
}

export function onOwnNetwork(key: ClusterKey): Readonly<Record<RoleScope, string>> {
  const network = resourceGroupId(production, ownNetworkGroup);
  return { ...scopesOf(groupNames("documented", key), production), vnet: network, nsg: network };
}

/** `hypershift create infra azure --resource-group-name`: one group that is somebody else's. */
export function inOneGroup(number: number, groupName: string, assigned: Seed): Seed {
  const key = clusterKey(number);
  const whole = cluster({ ...key, naming: "hypershift", without: ["roles"] });
  const moved = Object.entries(whole.resources).flatMap(([id, body]) =>
    id.includes("/providers/") ? [[id.replace(/\/resourceGroups\/[^/]+/, `/resourceGroups/${groupName}`), body] as const] : [],
  );
  return merged([group(groupName), { resources: Object.fromEntries(moved) }, assigned]);
}

export function inGroupAlone(groupName: string): Partial<Readonly<Record<RoleScope, string>>> {
  return { managed: resourceGroupId(production, groupName), dns: dnsScope };
}

/** Until 2026-08, hypershift's private zone had the longer name. */
export function oldZone(number: number, { resources, ...seed }: Seed): Seed {
  const { name } = clusterKey(number);
  const renamed = Object.entries(resources).map(([id, body]) => [id.replace(`/${name}.`, `/${name}-azurecluster.`), body] as const);
  return { ...seed, resources: Object.fromEntries(renamed) };
}

/** `hypershift create iam azure`. */
export function workloadIdentities(number: number, groupName: string): Seed {
  const key = clusterKey(number);
  const identities = controlPlaneComponents.map((one) => identity(groupName, workloadIdentityName(key, one), key.name, one.key));
  return { ...group(groupName), identities, applications: dataPlaneComponents.map((one) => application(key.name, one.key)) };
}

/** One group and one managed identity with the role Contributor. */
export function of2022(number: number): Seed {
  const { name, infraId } = clusterKey(number);
  const managed = `${name}-${infraId}`;
  const scope = resourceGroupId(production, managed);
  const principalId = guid(`principal ${managed}`);
  const identities = [{ id: `${scope}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${managed}`, principalId }];
  const role = { scope, name: guid(`role ${managed}`), role: "b24988ac-6180-42a0-ab88-20f7382dd24c", principalId };
  return merged([
    group(managed),
    inGroup(managed, "Microsoft.Network/networkSecurityGroups", `${managed}-nsg`),
    inGroup(managed, "Microsoft.Network/virtualNetworks", managed, network),
    inGroup(managed, "Microsoft.Network/privateDnsZones", `${name}-azurecluster.example.com`, { location: "global" }),
    inGroup(managed, "Microsoft.Network/publicIPAddresses", infraId, publicIp),
    inGroup(managed, "Microsoft.Network/loadBalancers", infraId, { sku: { name: "Standard" } }),
    inGroup(managed, "Microsoft.Compute/images", infraId, { properties: {} }),
    inGroup(managed, "Microsoft.Storage/storageAccounts", `cluster${infraId}`, storage),
    { resources: {}, identities, roleAssignments: [role] },
  ]);
}

export const publicIp = { sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } } as const;
export const storage = { kind: "StorageV2", sku: { name: "Standard_LRS" } } as const;

/** The scripts of hypershift's `contrib`: three groups, and identities and a vault in the group of all clusters. */
export function scriptedCluster(number: number, groups: readonly string[]): Seed {
  const { name: prefix, infraId } = clusterKey(number);
  const has = (one: string) => groups.includes(one);
  const ofAks = ["aks-mi", "aks-kubelet-mi"].map((ending) => ({ key: ending, name: `${prefix}-${ending}` }));
  const ofData = dataPlaneComponents.map((component) => ({ key: component.key, name: managedIdentityName({ name: prefix }, component) }));
  return merged([
    scripted(prefix, [...groups]),
    ...(has("customer-vnet-rg")
      ? [inGroup(`${prefix}-customer-vnet-rg`, "Microsoft.Network/virtualNetworks", `${prefix}-customer-vnet`, network)]
      : []),
    inGroup(`${prefix}-customer-nsg-rg`, "Microsoft.Network/networkSecurityGroups", `${prefix}-customer-nsg`),
    ...(has("managed-rg")
      ? [
          inGroup(`${prefix}-managed-rg`, "Microsoft.Network/privateDnsZones", `${prefix}-hc-azurecluster.example.com`, {
            location: "global",
          }),
          inGroup(`${prefix}-managed-rg`, "Microsoft.Network/publicIPAddresses", infraId, publicIp),
          inGroup(`${prefix}-managed-rg`, "Microsoft.Network/loadBalancers", infraId, { sku: { name: "Standard" } }),
          group(`${prefix}-aks-rg`),
          inGroup(`${prefix}-aks-rg`, "Microsoft.ContainerService/managedClusters", `${prefix}-aks-cluster`, aks),
        ]
      : []),
    group(commonGroup),
    inGroup(commonGroup, "Microsoft.KeyVault/vaults", prefix, vault),
    // They trust the issuer of the cluster, which has a name of its own.
    ...(has("managed-rg") ? ofData.map(({ name }) => trusting(commonGroup, name, `https://issuer.example.com/${prefix}`)) : []),
    {
      resources: {},
      identities: [...ofAks, ...ofData].map(({ key, name }) => identity(commonGroup, name, `contrib ${prefix}`, key)),
      applications: [...controlPlaneComponents.filter(({ field }) => field !== "kms").map(({ key }) => key), "velero", "ExternalDns"].map(
        (key) => ({
          appId: guid(`client ${prefix} ${key}`),
          displayName: key === "ExternalDns" ? `${prefix}-ExternalDnsServicePrincipal` : `${key}-${prefix}`,
          servicePrincipalId: guid(`principal contrib ${prefix} ${key}`),
        }),
      ),
    },
  ]);
}

/** A federated credential of a managed identity. */
export function trusting(groupName: string, identityName: string, issuer: string): Seed {
  const path = `${resourceGroupId(production, groupName)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${identityName}`;
  const properties = { issuer, subject: "system:serviceaccount:a:b", audiences: ["openshift"] };
  return { resources: { [`${path}/federatedIdentityCredentials/trust`]: { properties } } };
}

const aks = {
  identity: { type: "SystemAssigned" },
  properties: { dnsPrefix: "contrib", agentPoolProfiles: [{ name: "system", mode: "System", count: 1 }] },
} as const;

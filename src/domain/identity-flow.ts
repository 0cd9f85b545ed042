/** The flow of a cluster's identities as a graph: the credential of a pod, its principal, its role and the scope. */
import {
  controlPlaneComponents,
  dataPlaneComponents,
  isEnabled,
  roleOf,
  roleScopes,
  type ControlPlaneComponent,
  type DataPlaneComponent,
  type DataPlaneField,
  type RoleScope,
} from "./components.js";
import type { EncryptionKey } from "./encryption-key.js";
import { groupNameOf } from "./resource-id.js";
import type { Role } from "./roles.js";
import { sameText } from "../text/same-text.js";

/** The known facts. The diagram omits unknown names. */
export interface FlowFacts {
  readonly clusterName: string | undefined;
  readonly vault: { readonly name: string; readonly tenantId: string } | undefined;
  /** The components in the diagram. KMS is absent if no Key Vault key encrypts etcd. */
  readonly controlPlane: Readonly<Partial<Record<ControlPlaneComponent["field"], KnownIdentity>>>;
  /** Client IDs. */
  readonly dataPlane: Readonly<Partial<Record<DataPlaneField, string>>> | undefined;
  readonly issuerUrl: string | undefined;
  /** Names of the groups that roles are assigned on. */
  readonly groups: Readonly<Partial<Record<RoleScope, string>>>;
  readonly encryptionKey: EncryptionKey | undefined;
  readonly customHcpRoles: boolean;
  readonly disabledCapabilities: readonly string[];
}

export interface KnownIdentity {
  readonly clientId: string | undefined;
  readonly secretName: string | undefined;
}

export type FlowKind = "secret" | "pod" | "principal" | "role" | "scope";

export interface FlowNode {
  /** Unique in the flow: `cpo/secret`, `azure-disk-MI/pod`, `shared/issuer`. */
  readonly id: string;
  readonly kind: FlowKind;
  /** A component (`cpo`, `azure-disk-MI`), `issuer`, or the names of groups. */
  readonly subjects: readonly string[];
  /** The first line is its name. */
  readonly lines: readonly string[];
}

export interface FlowGroup {
  readonly id: string;
  readonly title: string;
  readonly nodes: readonly FlowNode[];
}

export interface FlowArrow {
  readonly from: string;
  readonly to: string;
}

export interface IdentityFlow {
  readonly title: string;
  /** Columns from left to right, the control plane first. */
  readonly groups: readonly FlowGroup[];
  readonly arrows: readonly FlowArrow[];
}

/** An identity and its path. Identities share targets. */
interface Lane {
  readonly plane: "control" | "data";
  /** The nodes in the order of the arrows. */
  readonly nodes: readonly FlowNode[];
  readonly target: FlowNode;
}

export function identityFlow(facts: FlowFacts): IdentityFlow {
  const lanes = byTarget([...controlPlaneLanes(facts), ...dataPlaneLanes(facts)]);
  const nodesOf = (plane: Lane["plane"], kind: FlowKind) =>
    distinct(lanes.filter((lane) => lane.plane === plane).flatMap(({ nodes }) => nodes.filter((node) => node.kind === kind)));
  const roles = lanes.flatMap(({ nodes }) => nodes.filter(({ kind }) => kind === "role"));
  const { clusterName, vault } = facts;
  const groups: FlowGroup[] = [
    { id: "secrets", title: `Key Vault ${vault?.name ?? ""}`.trim(), nodes: nodesOf("control", "secret") },
    { id: "issuer", title: "issuer, signs tokens", nodes: nodesOf("data", "secret") },
    { id: "pods", title: "pods, each with its SecretProviderClass", nodes: nodesOf("control", "pod") },
    { id: "accounts", title: "service accounts, in their namespaces", nodes: nodesOf("data", "pod") },
    { id: "applications", title: "applications, by certificate", nodes: nodesOf("control", "principal") },
    { id: "identities", title: "managed identities, by federation", nodes: nodesOf("data", "principal") },
    { id: "roles", title: "roles", nodes: roles },
    { id: "scopes", title: "scopes", nodes: distinct(lanes.map(({ target }) => target)) },
  ];
  return {
    title: ["identities", ...defined(clusterName && `of ${clusterName}`), ...defined(vault && `in tenant ${vault.tenantId}`)].join(" "),
    groups: groups.filter(({ nodes }) => nodes.length > 0),
    arrows: lanes.flatMap(({ nodes, target }) => nodes.map(({ id: from }, index) => ({ from, to: (nodes[index + 1] ?? target).id }))),
  };
}

function controlPlaneLanes(facts: FlowFacts): Lane[] {
  return controlPlaneComponents.flatMap((component): Lane[] => {
    const { key, field, pod, secretProviderClass, vaultRole } = component;
    const known = facts.controlPlane[field];
    const assigned = vaultRole ? roleOnKey(vaultRole, facts) : roleOnGroups(component, facts);
    if (known === undefined || assigned === undefined) return [];
    return [
      {
        plane: "control",
        nodes: [
          nodeOf(key, "secret", known.secretName ?? `of ${key}`),
          nodeOf(key, "pod", pod, secretProviderClass),
          nodeOf(key, "principal", key, known.clientId),
          nodeOf(key, "role", assigned.role.name),
        ],
        target: assigned.target,
      },
    ];
  });
}

function dataPlaneLanes(facts: FlowFacts): Lane[] {
  const issuer = shared("issuer", "secret", ["issuer"], [facts.issuerUrl ?? "signing key of service accounts"]);
  return dataPlaneComponents.flatMap((component): Lane[] => {
    const { key, field, subject } = component;
    const assigned = roleOnGroups(component, facts);
    if (assigned === undefined) return [];
    const [namespace = "", account = ""] = subject.split(":").slice(2);
    return [
      {
        plane: "data",
        nodes: [
          issuer,
          nodeOf(key, "pod", account, namespace),
          nodeOf(key, "principal", key, facts.dataPlane?.[field]),
          nodeOf(key, "role", assigned.role.name),
        ],
        target: assigned.target,
      },
    ];
  });
}

/** A role and the node of the scope that it is assigned on. */
interface RoleOnScope {
  readonly role: Role;
  readonly target: FlowNode;
}

/** Undefined without a role, because the cluster does not have the capability. */
function roleOnGroups(
  component: ControlPlaneComponent | DataPlaneComponent,
  { groups, customHcpRoles, disabledCapabilities }: FlowFacts,
): RoleOnScope | undefined {
  const { assigned } = component;
  if (assigned === undefined || !isEnabled(component, disabledCapabilities)) return undefined;
  return { role: roleOf(assigned, customHcpRoles), target: groupsNode(assigned.scopes, groups) };
}

function roleOnKey(role: Role, { encryptionKey }: FlowFacts): RoleOnScope {
  const lines = encryptionKey === undefined ? [] : [`${encryptionKey.keyName} in ${encryptionKey.keyVaultName}`];
  return { role, target: shared("key", "scope", ["kms"], ["key that encrypts etcd", ...lines]) };
}

function nodeOf(component: string, kind: FlowKind, name: string, detail?: string): FlowNode {
  return { id: `${component}/${kind}`, kind, subjects: [component], lines: [name, ...defined(detail)] };
}

function shared(id: string, kind: FlowKind, subjects: readonly string[], lines: readonly string[]): FlowNode {
  return { id: `shared/${id}`, kind, subjects, lines };
}

/** The fields of an infra document with group names. */
interface PlacesOfInfra {
  readonly resourceGroupName?: string | undefined;
  readonly securityGroupID?: string | undefined;
  readonly vnetID?: string | undefined;
  readonly publicZoneID?: string | undefined;
}

/** `planned` is for groups that are not in the document. Those that are in neither are absent. */
export function groupsOf(
  { resourceGroupName, securityGroupID, vnetID, publicZoneID }: PlacesOfInfra,
  planned: Readonly<Partial<Record<RoleScope, string | undefined>>> = {},
): FlowFacts["groups"] {
  const groups = {
    managed: resourceGroupName || planned.managed,
    nsg: groupNameOf(securityGroupID) ?? planned.nsg,
    vnet: groupNameOf(vnetID) ?? planned.vnet,
    dns: groupNameOf(publicZoneID) ?? planned.dns,
  };
  return Object.fromEntries(Object.entries(groups).filter(([, name]) => name));
}

/** The contents of each group. */
export const scopeWords: Readonly<Record<RoleScope, string>> = {
  managed: "managed",
  nsg: "security group",
  vnet: "network",
  dns: "public zone",
};

/** One node for a set of groups, for all roles on it. Several scopes can be the same group, which is named once. */
function groupsNode(scopes: readonly RoleScope[], groups: FlowFacts["groups"]): FlowNode {
  const isOne = (one: RoleScope, other: RoleScope) => one === other || sameText(groups[one], groups[other]);
  const firsts = roleScopes.filter((scope) => roleScopes.find((other) => isOne(scope, other)) === scope);
  const wanted = firsts.filter((first) => scopes.some((scope) => isOne(first, scope)));
  const lines = wanted.map((first) => {
    const same = roleScopes.filter((scope) => isOne(first, scope));
    const words = same.map((scope) => scopeWords[scope]).join(", ");
    return groups[first] === undefined ? `resource group (${words})` : `resource group ${groups[first]} (${words})`;
  });
  return shared(
    wanted.join("-"),
    "scope",
    wanted.flatMap((first) => defined(groups[first])),
    lines,
  );
}

/** Sorts lanes with the same target together, so that few arrows cross: the widest first, and targets of both planes last. */
function byTarget(lanes: readonly Lane[]): Lane[] {
  const planes = ["control", "data"] as const;
  const rankOf = ({ subjects, lines }: FlowNode) => (subjects.includes("kms") ? 2 : lines.length);
  const sets = distinct(lanes.map(({ target }) => target)).sort((a, b) => rankOf(b) - rankOf(a));
  return planes.flatMap((plane) => sets.flatMap(({ id }) => lanes.filter((lane) => lane.plane === plane && lane.target.id === id)));
}

function distinct(nodes: readonly FlowNode[]): FlowNode[] {
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

function defined(line: string | undefined): string[] {
  return line === undefined ? [] : [line];
}

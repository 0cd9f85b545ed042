/** The output document of `create management-cluster` and `create service-cluster`. */
import { z } from "zod";
import { clusterKinds, kindFacts, type AksClusterKey, type ClusterKind } from "../domain/cluster-kind.js";
import type { IpTag } from "../domain/ip-tags.js";
import { clusterLabel, clusterLabelRule } from "../domain/cluster-label.js";
import { nameProblem } from "../domain/name-rules.js";
import { isIdOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { cloudName, idOf, uuid } from "./fields.js";
import { documentOwner, type OutputFile } from "./output-file.js";
import { readDocument, type ReadDocument } from "./read.js";
import { validate } from "./validate.js";

/** Incremented when a key changes its meaning or is removed; new keys do not increment it. */
const clusterOutputVersion = 1;

/** A managed identity of the cluster. AKS creates that of the add-on in the node resource group. */
export interface ClusterIdentity {
  readonly id: string;
  readonly clientId: string;
  readonly objectId: string;
}

export interface ClusterAddress {
  readonly id: string;
  readonly ipAddress: string;
  readonly ipTags: readonly IpTag[];
}

/** What enters through the address: everything that the service serves, or the operators' own ingress. */
export interface IngressAddress extends ClusterAddress {
  readonly purpose: "ingress" | "ops";
}

/** A choice of the cluster, as in a configuration file. */
export type ClusterOptions = Readonly<Record<string, z.output<typeof optionValue>>>;

/** The values of a cluster that are known so far. */
export interface KnownAksCluster extends AksClusterKey {
  readonly cloud: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  readonly resourceGroupName?: string | undefined;
  readonly nodeResourceGroupName?: string | undefined;
  readonly clusterId?: string | undefined;
  readonly oidcIssuerUrl?: string | undefined;
  /** The identity of the add-on azureKeyvaultSecretsProvider. */
  readonly keyVaultAddOn?: ClusterIdentity | undefined;
  readonly clusterIdentity?: ClusterIdentity | undefined;
  readonly kubeletIdentity?: ClusterIdentity | undefined;
  readonly egressAddresses?: readonly ClusterAddress[] | undefined;
  readonly ingressAddresses?: readonly IngressAddress[] | undefined;
  /** The vaults that the add-on's identity reads. */
  readonly vaultIds?: readonly string[] | undefined;
  /** Key identifier with its version. */
  readonly etcdKeyId?: string | undefined;
  readonly vnetId?: string | undefined;
  readonly nodeSubnetId?: string | undefined;
  readonly podSubnetId?: string | undefined;
  readonly networkSecurityGroupId?: string | undefined;
  /** The settings that it was created with. */
  readonly options?: ClusterOptions | undefined;
}

const optionValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.record(z.string(), z.string())]);
const identity = z.strictObject({ id: z.string(), clientID: uuid, objectID: uuid });
const ipTag = z.strictObject({ type: z.string(), tag: z.string() });
const address = z.strictObject({ id: z.string(), ipAddress: z.string(), ipTags: z.array(ipTag) });
const ingressAddress = z.strictObject({ ...address.shape, purpose: z.enum(["ingress", "ops"]) });

/** Every key is present, with "", null or an empty list for unknown values, as in the output file of `create infra`. */
const shape = {
  schemaVersion: z.literal(clusterOutputVersion),
  name: z.string(),
  cloud: z.string(),
  subscriptionID: uuid,
  tenantID: uuid,
  location: z.string(),
  resourceGroupName: z.string(),
  nodeResourceGroupName: z.string(),
  clusterID: z.string(),
  oidcIssuerURL: z.string(),
  keyVaultAddOn: identity.nullable(),
  clusterIdentity: identity.nullable(),
  kubeletIdentity: identity.nullable(),
  egressAddresses: z.array(address),
  ingressAddresses: z.array(ingressAddress),
  vaultIDs: z.array(z.string()),
  etcdKeyID: z.string(),
  vnetID: z.string(),
  nodeSubnetID: z.string(),
  podSubnetID: z.string(),
  networkSecurityGroupID: z.string(),
  options: z.record(z.string(), optionValue).optional(),
};

export const managementClusterSchema = z.strictObject({ kind: z.literal("management-cluster"), ...shape });
export const serviceClusterSchema = z.strictObject({ kind: z.literal("service-cluster"), ...shape });

const idOrEmpty = (type: string) => z.string().refine((text) => text === "" || isIdOf(text, type), `expected the ID of a ${type}`);
const groupOrEmpty = z
  .string()
  .refine((text) => text === "" || nameProblem("resourceGroup", text) === undefined, "expected the name of a resource group");
const readIdentity = z.looseObject({ ...identity.shape, id: idOf(resourceTypes.managedIdentity.type) });
const readAddress = { id: idOf(resourceTypes.publicIpAddress.type), ipTags: z.array(z.looseObject(ipTag.shape)) };

/** Keys of later versions of this program are ignored. Names and IDs become parts of requests and commands, so they are checked. */
const readableSchema = z.looseObject({
  ...shape,
  kind: z.enum(clusterKinds),
  schemaVersion: z.number(),
  name: z.string().regex(clusterLabel, clusterLabelRule),
  cloud: cloudName,
  location: z.string().regex(/^[a-z0-9]+$/, "expected an Azure location such as eastus"),
  resourceGroupName: groupOrEmpty,
  nodeResourceGroupName: groupOrEmpty,
  clusterID: idOrEmpty(resourceTypes.managedCluster.type),
  keyVaultAddOn: readIdentity.nullable(),
  clusterIdentity: readIdentity.nullable(),
  kubeletIdentity: readIdentity.nullable(),
  egressAddresses: z.array(z.looseObject({ ...address.shape, ...readAddress })),
  ingressAddresses: z.array(z.looseObject({ ...ingressAddress.shape, ...readAddress })),
  vaultIDs: z.array(idOf(resourceTypes.keyVault.type)),
  vnetID: idOrEmpty(resourceTypes.virtualNetwork.type),
  nodeSubnetID: idOrEmpty(resourceTypes.subnet.type),
  podSubnetID: idOrEmpty(resourceTypes.subnet.type),
  networkSecurityGroupID: idOrEmpty(resourceTypes.networkSecurityGroup.type),
});

export type AksClusterOutput = z.output<typeof managementClusterSchema> | z.output<typeof serviceClusterSchema>;
export type AksClusterInput = Readonly<z.output<typeof readableSchema>>;

/** The document with the known values; written again after each step that adds one. */
export function aksClusterOutput(known: KnownAksCluster): AksClusterOutput {
  return {
    schemaVersion: clusterOutputVersion,
    kind: known.kind,
    name: known.name,
    cloud: known.cloud,
    subscriptionID: known.subscriptionId,
    tenantID: known.tenantId,
    location: known.location,
    resourceGroupName: known.resourceGroupName ?? "",
    nodeResourceGroupName: known.nodeResourceGroupName ?? "",
    clusterID: known.clusterId ?? "",
    oidcIssuerURL: known.oidcIssuerUrl ?? "",
    keyVaultAddOn: identityIn(known.keyVaultAddOn),
    clusterIdentity: identityIn(known.clusterIdentity),
    kubeletIdentity: identityIn(known.kubeletIdentity),
    egressAddresses: (known.egressAddresses ?? []).map(addressIn),
    ingressAddresses: (known.ingressAddresses ?? []).map((one) => ({ ...addressIn(one), purpose: one.purpose })),
    vaultIDs: [...(known.vaultIds ?? [])],
    etcdKeyID: known.etcdKeyId ?? "",
    vnetID: known.vnetId ?? "",
    nodeSubnetID: known.nodeSubnetId ?? "",
    podSubnetID: known.podSubnetId ?? "",
    networkSecurityGroupID: known.networkSecurityGroupId ?? "",
    ...(known.options !== undefined && { options: known.options }),
  };
}

/** Earlier versions of this program wrote fewer keys, and later ones may write more. */
const earlierOutput = z
  .looseObject({ ...shape, kind: z.enum(clusterKinds) })
  .partial()
  .required({ schemaVersion: true, kind: true, name: true, subscriptionID: true });

/** The file at the path; one of another cluster, or of another program, is not replaced. */
export function aksClusterFile(path: string, cluster: AksClusterKey & { readonly subscriptionId: string }): OutputFile {
  return {
    path,
    otherOwner: documentOwner(earlierOutput, ({ kind, name, subscriptionID }) => {
      const owner = `the file of ${kindFacts[kind].label} ${name}`;
      if (kind !== cluster.kind || name !== cluster.name) return owner;
      return sameText(subscriptionID, cluster.subscriptionId) ? undefined : `${owner} in subscription ${subscriptionID}`;
    }),
  };
}

function identityIn(one: ClusterIdentity | undefined): z.output<typeof identity> | null {
  return one === undefined ? null : { id: one.id, clientID: one.clientId, objectID: one.objectId };
}

function addressIn({ id, ipAddress, ipTags }: ClusterAddress): z.output<typeof address> {
  return { id, ipAddress, ipTags: ipTags.map(({ type, tag }) => ({ type, tag })) };
}

export interface ReadAksCluster {
  readonly input: AksClusterInput;
  /** `file:line` of the value under these keys. */
  readonly at: ReadDocument["at"];
}

/**
 * Reads an output file of that kind of cluster (JSON or YAML).
 * @throws ARO-FILE-001, 002 or 003
 */
export async function readAksCluster(path: string, kind: ClusterKind): Promise<ReadAksCluster> {
  const document = await readDocument(path);
  requireKind(document, kind);
  const input = validate(document, readableSchema, `an output file of create ${kind}`);
  if (input.schemaVersion > clusterOutputVersion) {
    throw new Failure(
      "ARO-FILE-003",
      `${document.at(["schemaVersion"])} has schemaVersion ${input.schemaVersion}; this aro-hcp supports versions up to ${clusterOutputVersion}`,
    );
  }
  return { input, at: (keys) => document.at(keys) };
}

/** A file of the other kind has the same keys, but belongs to the other commands. */
function requireKind(document: ReadDocument, kind: ClusterKind): void {
  const found = kindIn(document.value);
  if (found === kind) return;
  const what = found === undefined ? "no output file of an AKS cluster" : `the output file of a ${kindFacts[found].label}`;
  throw new Failure("ARO-FILE-003", `${document.at(["kind"])} is ${what}`, {
    because: `expected the output file of create ${kind}`,
  });
}

/** Undefined for any other document. */
function kindIn(value: unknown): ClusterKind | undefined {
  const found = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  return clusterKinds.find((kind) => kind === found);
}

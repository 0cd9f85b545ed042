/** The output document of `create infra`: the keys of hypershift's `--infra-file`, and additional keys. */
import { z } from "zod";
import { Failure } from "../errors/failure.js";
import { clusterLabel, clusterLabelRule } from "../domain/cluster-label.js";
import { dataPlaneFields } from "../domain/components.js";
import { sameText } from "../text/same-text.js";
import { optionalId, uuid } from "./fields.js";
import {
  controlPlaneSchema,
  dataPlaneSchema,
  dataPlaneShape,
  workloadIdentitiesSchema,
  type ControlPlaneIdentities,
  type DataPlaneIdentities,
  type WorkloadIdentities,
} from "./identity-schemas.js";
import { documentOwner, type OutputFile } from "./output-file.js";
import { readDocument, type ReadDocument } from "./read.js";
import { recordedOptionsSchema, type RecordedOptions } from "./recorded-options.js";
import { validate } from "./validate.js";

/** Incremented when a key changes its meaning or is removed; new keys do not increment it. */
const infraOutputVersion = 1;

/** The values of a cluster's infrastructure that are known so far. */
export interface KnownInfra {
  readonly cloud: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clusterName: string;
  readonly infraId: string;
  readonly baseDomain: string;
  readonly location: string;
  readonly resourceGroupName?: string | undefined;
  readonly publicZoneId?: string | undefined;
  readonly privateZoneId?: string | undefined;
  readonly vnetId?: string | undefined;
  readonly subnetId?: string | undefined;
  readonly securityGroupId?: string | undefined;
  readonly controlPlane?: ControlPlaneIdentities | undefined;
  readonly dataPlane?: DataPlaneIdentities | undefined;
  readonly workload?: WorkloadIdentities | undefined;
  /** The settings that it was created with. */
  readonly options?: RecordedOptions | undefined;
}

/** Go writes an unset struct with empty strings. */
export const noDataPlaneSchema = z.strictObject(dataPlaneShape(z.literal("")));
const noDataPlane = Object.fromEntries(dataPlaneFields.map((field) => [field, ""])) as z.output<typeof noDataPlaneSchema>;
const someDataPlane = z.union([dataPlaneSchema, noDataPlaneSchema]);

/** The written format: every key is present, with "" or null for unknown values, like Go's zero values. */
export const infraOutputSchema = z.strictObject({
  schemaVersion: z.literal(infraOutputVersion),
  cloud: z.string(),
  subscriptionID: uuid,
  tenantID: z.string(),
  region: z.string(),
  clusterName: z.string(),
  infraID: z.string(),
  baseDomain: z.string(),
  resourceGroupName: z.string(),
  publicZoneID: z.string(),
  privateZoneID: z.string(),
  vnetID: z.string(),
  subnetID: z.string(),
  securityGroupID: z.string(),
  bootImageID: z.literal(""),
  controlPlaneMIs: z.strictObject({ controlPlane: controlPlaneSchema, dataPlane: someDataPlane }).nullable(),
  dataPlaneIdentities: someDataPlane,
  workloadIdentities: workloadIdentitiesSchema.nullable(),
  kmsClientID: uuid.optional(),
  options: recordedOptionsSchema.optional(),
});

export type InfraOutput = z.output<typeof infraOutputSchema>;

/** The document with the known values; written again after each step that adds one. */
export function infraOutput(known: KnownInfra): InfraOutput {
  const { kmsClientID, ...workloadIdentities } = known.workload ?? {};
  return {
    schemaVersion: infraOutputVersion,
    cloud: known.cloud,
    subscriptionID: known.subscriptionId,
    tenantID: known.tenantId,
    region: known.location,
    clusterName: known.clusterName,
    infraID: known.infraId,
    baseDomain: known.baseDomain,
    resourceGroupName: known.resourceGroupName ?? "",
    publicZoneID: known.publicZoneId ?? "",
    privateZoneID: known.privateZoneId ?? "",
    vnetID: known.vnetId ?? "",
    subnetID: known.subnetId ?? "",
    securityGroupID: known.securityGroupId ?? "",
    // HyperShift has the key and never sets it: every NodePool has its own image.
    bootImageID: "",
    // HyperShift fills the inner dataPlane from dataPlaneIdentities when it creates the cluster.
    controlPlaneMIs: known.controlPlane === undefined ? null : { controlPlane: known.controlPlane, dataPlane: noDataPlane },
    dataPlaneIdentities: known.dataPlane ?? noDataPlane,
    workloadIdentities: known.workload === undefined ? null : (workloadIdentities as InfraOutput["workloadIdentities"]),
    ...(kmsClientID !== undefined && { kmsClientID }),
    ...(known.options !== undefined && { options: known.options }),
  };
}

/** Earlier versions of this program wrote fewer keys, and later ones may write more. */
const earlierOutput = z
  .looseObject(infraOutputSchema.shape)
  .partial()
  .required({ schemaVersion: true, clusterName: true, infraID: true, subscriptionID: true });

/** The file at the path; one of another cluster, or of another program, is not replaced. */
export function infraOutputFile(path: string, cluster: Pick<KnownInfra, "clusterName" | "infraId" | "subscriptionId">): OutputFile {
  return {
    path,
    otherOwner: documentOwner(earlierOutput, ({ clusterName, infraID, subscriptionID }) => {
      const isSame = clusterName === cluster.clusterName && infraID === cluster.infraId;
      if (!isSame) return `the file of cluster ${clusterName}, infra ID ${infraID}`;
      return sameText(subscriptionID, cluster.subscriptionId) ? undefined : `the file of ${infraID} in subscription ${subscriptionID}`;
    }),
  };
}

const label = z.string().regex(clusterLabel, clusterLabelRule);

/** The input of destroy. hypershift's own file has no version, name, cloud, subscription or tenant. Unknown keys are ignored. */
export const infraInputSchema = z.looseObject({
  schemaVersion: z.number().optional(),
  cloud: z.string().optional(),
  subscriptionID: uuid.optional(),
  tenantID: z.string().optional(),
  clusterName: label.optional(),
  infraID: label,
  baseDomain: z.string().optional(),
  region: z.string().optional(),
  resourceGroupName: z.string().optional(),
  publicZoneID: optionalId("Microsoft.Network/dnsZones"),
  privateZoneID: optionalId("Microsoft.Network/privateDnsZones"),
  vnetID: optionalId("Microsoft.Network/virtualNetworks"),
  subnetID: optionalId("Microsoft.Network/virtualNetworks/subnets"),
  securityGroupID: optionalId("Microsoft.Network/networkSecurityGroups"),
  options: recordedOptionsSchema.optional(),
});

export type InfraInput = Readonly<z.output<typeof infraInputSchema>>;

/**
 * Reads an output file of this program or of hypershift (YAML or JSON).
 * @throws ARO-FILE-001, 002 or 003
 */
export function readInfraOutput(path: string): Promise<InfraInput> {
  return readInfra(path, infraInputSchema);
}

/** The same, without an invalid record: a destroy does not need one. */
export function readInfraToDestroy(path: string): Promise<InfraInput> {
  return readInfra(path, infraInputSchema.extend({ options: recordedOptionsSchema.optional().catch(undefined) }));
}

async function readInfra(path: string, schema: z.ZodType<InfraInput>): Promise<InfraInput> {
  const document = await readDocument(path);
  const input = validate(document, schema, "an output file of create infra");
  requireKnownVersion(document, input);
  return input;
}

/** @throws ARO-FILE-003 for a file of a later version */
export function requireKnownVersion(document: ReadDocument, input: Pick<InfraInput, "schemaVersion">): void {
  if ((input.schemaVersion ?? infraOutputVersion) > infraOutputVersion) {
    throw new Failure(
      "ARO-FILE-003",
      `${document.at(["schemaVersion"])} has schemaVersion ${input.schemaVersion}; this aro-hcp supports versions up to ${infraOutputVersion}`,
    );
  }
}

/**
 * The cluster's name. A file of hypershift or of an older version has no name. Then the managed resource group or, if that is an existing
 * one, the network has a name of the form `<name>-<infra-id>`.
 */
export function clusterNameIn({ clusterName, infraID, resourceGroupName, vnetID }: InfraInput): string | undefined {
  if (clusterName !== undefined) return clusterName;
  const suffix = `-${infraID}`.toLowerCase();
  const named = [resourceGroupName, vnetID?.split("/").at(-1)].find(
    (text) => text !== undefined && text.length > suffix.length && text.toLowerCase().endsWith(suffix),
  );
  return named?.slice(0, -suffix.length);
}

/** The PUT body of an agent pool, which is also its profile in the body of its cluster. */
import { z } from "zod";
import { known, oneOf } from "../../body-schema.js";
import { ofPool as described } from "./described-settings.js";

const texts = z.record(z.string(), z.string()).optional();

/** az sends an empty text for Azure's choice. */
export const version = z
  .string()
  .regex(/^(\d+\.\d+(\.\d+)?)?$/, "must have two or three numbers")
  .transform((text) => (text === "" ? undefined : text))
  .optional();

const members = {
  count: z.int().min(0).max(1000).optional(),
  // az sends an empty size for a pool without one: AKS chooses it then.
  vmSize: z
    .string()
    .transform((size) => size || undefined)
    .optional(),
  osDiskSizeGB: z.int().min(0).max(2048).optional(),
  osDiskType: oneOf("Managed", "Ephemeral").optional(),
  kubeletDiskType: oneOf("OS", "Temporary").optional(),
  workloadRuntime: z.string().optional(),
  osType: oneOf("Linux").default("Linux"),
  osSKU: oneOf("Ubuntu", "AzureLinux", "Ubuntu2204", "Ubuntu2404", "AzureLinux3", "AzureContainerLinux", "CBLMariner").optional(),
  mode: oneOf("System", "User").optional(),
  type: oneOf("VirtualMachineScaleSets").default("VirtualMachineScaleSets"),
  maxPods: z.int().optional(),
  enableAutoScaling: z.boolean().optional(),
  minCount: z.int().min(0).max(1000).optional(),
  maxCount: z.int().min(0).max(1000).optional(),
  scaleDownMode: oneOf("Delete", "Deallocate").optional(),
  scaleSetPriority: oneOf("Regular", "Spot").optional(),
  scaleSetEvictionPolicy: oneOf("Delete", "Deallocate").optional(),
  spotMaxPrice: z.number().optional(),
  orchestratorVersion: version,
  availabilityZones: z.array(z.string()).optional(),
  enableNodePublicIP: z.boolean().optional(),
  enableEncryptionAtHost: z.boolean().optional(),
  enableUltraSSD: z.boolean().optional(),
  enableFIPS: z.boolean().optional(),
  vnetSubnetID: z.string().optional(),
  podSubnetID: z.string().optional(),
  podIPAllocationMode: oneOf("DynamicIndividual", "StaticBlock").optional(),
  tags: texts,
  nodeLabels: texts,
  nodeTaints: z.array(z.string()).optional(),
  powerState: known({ code: oneOf("Running", "Stopped") }).optional(),
  ...described,
};
const readOnly = ["currentOrchestratorVersion", "eTag", "nodeImageVersion", "provisioningState", "status", "virtualMachineNodesStatus"];

/** Also a rule for the name of an agent pool by its own path. */
export const poolName = /^[a-z][a-z0-9]{0,11}$/;
export const poolNameRule = "must have 1 to 12 lower-case letters and digits, and begin with a letter";

export const poolBody = known({ properties: known(members, readOnly) }, ["id", "name", "type"]);
export const poolProfile = known({ name: z.string().regex(poolName, poolNameRule), ...members }, readOnly);

export type PoolBody = z.output<typeof poolBody>;
export type Pool = PoolBody["properties"];

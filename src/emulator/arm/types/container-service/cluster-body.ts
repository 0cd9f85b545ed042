/** The PUT body of an AKS cluster: the properties of a management cluster. Ignores what else Azure answers and clients send back. */
import { z } from "zod";
import { known, oneOf } from "../body-schema.js";

const pool = known(
  {
    name: z.string().regex(/^[a-z][a-z0-9]{0,11}$/, "must have 1 to 12 lower-case letters and digits, and begin with a letter"),
    count: z.int().min(0).max(1000).default(1),
    vmSize: z.string().default("Standard_D4s_v5"),
    osType: oneOf("Linux").default("Linux"),
    osSKU: oneOf("AzureLinux", "Ubuntu").default("AzureLinux"),
    mode: oneOf("System", "User").default("User"),
    type: oneOf("VirtualMachineScaleSets").default("VirtualMachineScaleSets"),
    maxPods: z.int().min(10).max(250).default(110),
    enableAutoScaling: z.boolean().optional(),
    minCount: z.int().min(0).optional(),
    maxCount: z.int().min(1).optional(),
    enableFIPS: z.boolean().optional(),
    vnetSubnetID: z.string().optional(),
    nodeLabels: z.record(z.string(), z.string()).optional(),
    nodeTaints: z.array(z.string()).optional(),
  },
  ["currentOrchestratorVersion", "eTag", "nodeImageVersion", "powerState", "provisioningState"],
);

/** The values of `config` are strings, as in Azure. */
const secretsProvider = known(
  {
    enabled: z.boolean(),
    config: z.strictObject({ enableSecretRotation: z.string().optional(), rotationPollInterval: z.string().optional() }).nullish(),
  },
  ["identity"],
);

export const clusterBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    sku: known({ name: oneOf("Base"), tier: oneOf("Free", "Standard", "Premium") }).default({ name: "Base", tier: "Free" }),
    identity: known(
      { type: oneOf("SystemAssigned", "UserAssigned"), userAssignedIdentities: z.record(z.string(), z.unknown()).optional() },
      ["principalId", "tenantId"],
    ),
    properties: known(
      {
        dnsPrefix: z.string().regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,52}[a-zA-Z0-9])?$/),
        kubernetesVersion: z.string().default("1.33"),
        agentPoolProfiles: z.array(pool).min(1),
        addonProfiles: known({ azureKeyvaultSecretsProvider: secretsProvider.optional() }).optional(),
        nodeResourceGroup: z
          .string()
          .regex(/^[-\w.()]{0,79}[-\w()]$/)
          .optional(),
        enableRBAC: z.boolean().default(true),
        disableLocalAccounts: z.boolean().default(false),
        oidcIssuerProfile: known({ enabled: z.boolean() }, ["issuerURL"]).optional(),
        securityProfile: known({ workloadIdentity: known({ enabled: z.boolean() }).optional() }).optional(),
        networkProfile: known({
          networkPlugin: oneOf("azure", "kubenet", "none").optional(),
          networkPolicy: oneOf("azure", "calico", "cilium", "none").optional(),
          loadBalancerSku: oneOf("standard").optional(),
        }).optional(),
      },
      ["currentKubernetesVersion", "fqdn", "identityProfile", "maxAgentPools", "powerState", "provisioningState", "resourceUID"],
    ),
  },
  ["eTag", "id", "name", "systemData", "type"],
);

export type ClusterBody = z.output<typeof clusterBody>;
export type Pool = ClusterBody["properties"]["agentPoolProfiles"][number];

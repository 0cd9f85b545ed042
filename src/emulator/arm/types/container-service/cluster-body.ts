/** The PUT bodies of an AKS cluster and of an agent pool. Ignores what else Azure answers and clients send back. */
import { z } from "zod";
import { known, oneOf } from "../body-schema.js";

/** Settings of what runs behind a cluster, which nothing here does: stored and answered as sent. */
const echoed = z.record(z.string(), z.unknown()).optional();

/** az sends an empty text for Azure's choice. */
const version = z
  .string()
  .regex(/^(\d+\.\d+(\.\d+)?)?$/, "must have two or three numbers")
  .transform((text) => (text === "" ? undefined : text))
  .optional();

const poolMembers = {
  count: z.int().min(0).max(1000).default(1),
  vmSize: z.string().default("Standard_D4s_v5"),
  osDiskSizeGB: z.int().min(0).max(2048).optional(),
  osDiskType: oneOf("Managed", "Ephemeral").default("Managed"),
  kubeletDiskType: oneOf("OS", "Temporary").default("OS"),
  workloadRuntime: z.string().optional(),
  osType: oneOf("Linux").default("Linux"),
  osSKU: oneOf("Ubuntu", "AzureLinux", "Ubuntu2204", "Ubuntu2404", "AzureLinux3", "AzureContainerLinux").default("Ubuntu"),
  mode: oneOf("System", "User").default("User"),
  type: oneOf("VirtualMachineScaleSets").default("VirtualMachineScaleSets"),
  maxPods: z.int().min(10).max(250).optional(),
  enableAutoScaling: z.boolean().default(false),
  minCount: z.int().min(0).optional(),
  maxCount: z.int().min(1).optional(),
  scaleDownMode: oneOf("Delete", "Deallocate").default("Delete"),
  scaleSetPriority: oneOf("Regular", "Spot").optional(),
  scaleSetEvictionPolicy: oneOf("Delete", "Deallocate").optional(),
  spotMaxPrice: z.number().optional(),
  orchestratorVersion: version,
  availabilityZones: z.array(z.string()).optional(),
  enableNodePublicIP: z.boolean().default(false),
  enableEncryptionAtHost: z.boolean().optional(),
  enableUltraSSD: z.boolean().optional(),
  enableFIPS: z.boolean().default(false),
  vnetSubnetID: z.string().optional(),
  podSubnetID: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  nodeLabels: z.record(z.string(), z.string()).optional(),
  nodeTaints: z.array(z.string()).optional(),
  powerState: echoed,
  upgradeSettings: echoed,
  networkProfile: echoed,
  securityProfile: echoed,
  kubeletConfig: echoed,
  linuxOSConfig: echoed,
  windowsProfile: echoed,
};
const poolReadOnly = ["currentOrchestratorVersion", "eTag", "nodeImageVersion", "provisioningState", "status", "virtualMachineNodesStatus"];

/** Also a rule for the name of an agent pool by its own path. */
export const poolName = /^[a-z][a-z0-9]{0,11}$/;
export const poolNameRule = "must have 1 to 12 lower-case letters and digits, and begin with a letter";

export const poolBody = known({ properties: known(poolMembers, poolReadOnly) }, ["id", "name", "type"]);

/** The values of `config` are strings, as in Azure. */
const secretsProvider = known(
  {
    enabled: z.boolean(),
    config: z.strictObject({ enableSecretRotation: z.string().optional(), rotationPollInterval: z.string().optional() }).nullish(),
  },
  ["identity"],
);
/** Not emulated, but a client may say that it wants none. */
const noAddOn = known({ enabled: z.literal(false), config: z.record(z.string(), z.string()).nullish() }, ["identity"]).optional();

const withoutEmpty = (tags: Record<string, string> | undefined) => (tags !== undefined && Object.keys(tags).length > 0 ? tags : undefined);

export const clusterBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional().transform(withoutEmpty),
    sku: known({ name: oneOf("Base"), tier: oneOf("Free", "Standard", "Premium") }).default({ name: "Base", tier: "Free" }),
    kind: z.string().optional(),
    identity: known(
      { type: oneOf("SystemAssigned", "UserAssigned"), userAssignedIdentities: z.record(z.string(), z.unknown()).optional() },
      ["principalId", "tenantId"],
    ).optional(),
    properties: known(
      {
        dnsPrefix: z.string().regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,52}[a-zA-Z0-9])?$/),
        kubernetesVersion: version,
        agentPoolProfiles: z.array(known({ name: z.string().regex(poolName, poolNameRule), ...poolMembers }, poolReadOnly)).min(1),
        addonProfiles: known({
          azureKeyvaultSecretsProvider: secretsProvider.optional(),
          aciConnectorLinux: noAddOn,
          azurepolicy: noAddOn,
          httpApplicationRouting: noAddOn,
          ingressApplicationGateway: noAddOn,
          kubeDashboard: noAddOn,
          omsagent: noAddOn,
          openServiceMesh: noAddOn,
        }).optional(),
        nodeResourceGroup: z
          .string()
          .regex(/^[-\w.()]{0,79}[-\w()]$/)
          .optional(),
        enableRBAC: z.boolean().default(true),
        disableLocalAccounts: z.boolean().optional(),
        oidcIssuerProfile: known({ enabled: z.boolean() }, ["issuerURL"]).default({ enabled: false }),
        supportPlan: oneOf("KubernetesOfficial", "AKSLongTermSupport").default("KubernetesOfficial"),
        publicNetworkAccess: oneOf("Enabled", "Disabled").optional(),
        networkProfile: known(
          {
            networkPlugin: oneOf("azure", "kubenet", "none").default("azure"),
            networkPluginMode: oneOf("overlay").optional(),
            networkPolicy: oneOf("azure", "calico", "cilium", "none").default("none"),
            networkDataplane: oneOf("azure", "cilium").optional(),
            loadBalancerSku: oneOf("standard").default("standard"),
            loadBalancerProfile: echoed,
            natGatewayProfile: echoed,
            advancedNetworking: echoed,
            outboundType: oneOf("loadBalancer", "userDefinedRouting", "managedNATGateway", "userAssignedNATGateway", "none").default(
              "loadBalancer",
            ),
            podCidr: z.string().optional(),
            podCidrs: z.array(z.string()).optional(),
            serviceCidr: z.string().default("10.0.0.0/16"),
            serviceCidrs: z.array(z.string()).optional(),
            dnsServiceIP: z.string().default("10.0.0.10"),
            ipFamilies: z.array(oneOf("IPv4", "IPv6")).default(["IPv4"]),
          },
          ["dockerBridgeCidr"],
        ).optional(),
        servicePrincipalProfile: known({ clientId: z.string() }, ["secret"]).default({ clientId: "msi" }),
        aadProfile: echoed,
        apiServerAccessProfile: echoed,
        autoScalerProfile: echoed,
        autoUpgradeProfile: echoed,
        azureMonitorProfile: echoed,
        bootstrapProfile: echoed,
        httpProxyConfig: echoed,
        ingressProfile: echoed,
        linuxProfile: echoed,
        metricsProfile: echoed,
        nodeProvisioningProfile: echoed,
        nodeResourceGroupProfile: echoed,
        podIdentityProfile: echoed,
        securityProfile: echoed,
        storageProfile: echoed,
        upgradeSettings: echoed,
        windowsProfile: echoed,
        workloadAutoScalerProfile: echoed,
      },
      [
        "azurePortalFQDN",
        "currentKubernetesVersion",
        "fqdn",
        "identityProfile",
        "maxAgentPools",
        "powerState",
        "privateLinkResources",
        "provisioningState",
        "resourceUID",
        "status",
      ],
    ),
  },
  ["eTag", "id", "name", "systemData", "type"],
);

export type ClusterBody = z.output<typeof clusterBody>;
export type PoolBody = z.output<typeof poolBody>;
export type Pool = PoolBody["properties"];

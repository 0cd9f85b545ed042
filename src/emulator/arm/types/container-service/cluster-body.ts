/** The PUT body of an AKS cluster, without the members that clients only send back. */
import { z } from "zod";
import { known, oneOf } from "../../body-schema.js";
import {
  aadProfile,
  addonProfiles,
  autoScalerProfile,
  autoUpgradeProfile,
  azureMonitorProfile,
  identityProfile,
  ingressProfile,
  networkProfile,
  nodeResourceGroupProfile,
  securityProfile,
  serviceMeshProfile,
  storageProfile,
} from "./cluster-profiles.js";
import { apiServerAccessProfile, ofCluster as described } from "./described-settings.js";
import { poolProfile, version } from "./pool-body.js";

const withoutEmpty = (tags: Record<string, string> | undefined) => (tags !== undefined && Object.keys(tags).length > 0 ? tags : undefined);

const hostPrefix = z
  .string()
  .regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,52}[a-zA-Z0-9])?$/)
  .optional();

const readOnly = [
  "azurePortalFQDN",
  "controlPlanePluginProfiles",
  "currentKubernetesVersion",
  "fqdn",
  "maxAgentPools",
  "powerState",
  "privateFQDN",
  "privateLinkResources",
  "provisioningState",
  "resourceUID",
  "status",
];

export const clusterBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional().transform(withoutEmpty),
    sku: known({ name: oneOf("Base"), tier: oneOf("Free", "Standard", "Premium") }).optional(),
    kind: z.string().optional(),
    identity: known(
      { type: oneOf("SystemAssigned", "UserAssigned"), userAssignedIdentities: z.record(z.string(), z.unknown()).optional() },
      ["principalId", "tenantId"],
    ).optional(),
    properties: known(
      {
        dnsPrefix: hostPrefix,
        fqdnSubdomain: hostPrefix,
        kubernetesVersion: version,
        agentPoolProfiles: z.array(poolProfile).optional(),
        addonProfiles: addonProfiles.optional(),
        nodeResourceGroup: z
          .string()
          .regex(/^[-\w.()]{0,79}[-\w()]$/)
          .optional(),
        enableRBAC: z.boolean().optional(),
        disableLocalAccounts: z.boolean().optional(),
        diskEncryptionSetID: z.string().optional(),
        identityProfile: identityProfile.optional(),
        oidcIssuerProfile: known({ enabled: z.boolean() }, ["issuerURL"]).optional(),
        supportPlan: oneOf("KubernetesOfficial", "AKSLongTermSupport").optional(),
        publicNetworkAccess: oneOf("Enabled", "Disabled").optional(),
        networkProfile: networkProfile.optional(),
        servicePrincipalProfile: known({ clientId: z.string() }, ["secret"]).optional(),
        aadProfile: aadProfile.optional(),
        autoScalerProfile: autoScalerProfile.optional(),
        autoUpgradeProfile: autoUpgradeProfile.optional(),
        azureMonitorProfile: azureMonitorProfile.optional(),
        hostedSystemProfile: known({ enabled: z.literal(false) }).optional(),
        ingressProfile: ingressProfile.optional(),
        nodeResourceGroupProfile: nodeResourceGroupProfile.optional(),
        securityProfile: securityProfile.optional(),
        serviceMeshProfile: serviceMeshProfile.optional(),
        storageProfile: storageProfile.optional(),
        apiServerAccessProfile,
        ...described,
      },
      readOnly,
    ),
  },
  ["eTag", "id", "name", "systemData", "type"],
);

export type ClusterBody = z.output<typeof clusterBody>;
export type ClusterProperties = ClusterBody["properties"];

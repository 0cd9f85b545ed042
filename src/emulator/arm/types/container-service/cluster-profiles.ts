/** The profiles in the body of an AKS cluster, strict where Azure checks them. */
import { z } from "zod";
import { known, oneOf, reference } from "../../body-schema.js";
import { appMonitoring, certificateAuthority, controlPlaneMetrics, defender, ofNetwork, webAppRouting } from "./described-settings.js";

/** The values of `config` are strings, as in Azure. */
const config = z.record(z.string(), z.string()).nullish();
const secretsProvider = known(
  {
    enabled: z.boolean(),
    config: z
      .strictObject({
        enableSecretRotation: z.enum(["true", "false"]).optional(),
        rotationPollInterval: z
          .string()
          .regex(/^(\d+(h|m|s))+$/, "must be a duration such as 2m")
          .optional(),
      })
      .nullish(),
  },
  ["identity"],
);
/** What runs in the cluster has no effect here: only the identity is made. */
const addOn = known({ enabled: z.boolean(), config }, ["identity"]).optional();

export const addonProfiles = known({
  azureKeyvaultSecretsProvider: secretsProvider.optional(),
  ACCSGXDevicePlugin: addOn,
  aciConnectorLinux: addOn,
  azurepolicy: addOn,
  httpApplicationRouting: addOn,
  ingressApplicationGateway: addOn,
  kubeDashboard: addOn,
  omsagent: addOn,
  openServiceMesh: addOn,
});

export const aadProfile = known({
  managed: z.boolean().optional(),
  enableAzureRBAC: z.boolean().optional(),
  adminGroupObjectIDs: z.array(z.guid()).optional(),
  tenantID: z.string().optional(),
  clientAppID: z.string().optional(),
  serverAppID: z.string().optional(),
});

const duration = z.string().regex(/^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/, "must be a duration such as 10m");
const trueOrFalse = z.enum(["true", "false"]);
const digits = z.string().regex(/^\d+$/, "must be a number");

/** All values are strings. */
export const autoScalerProfile = z.strictObject({
  "balance-similar-node-groups": trueOrFalse.optional(),
  "daemonset-eviction-for-empty-nodes": z.boolean().optional(),
  "daemonset-eviction-for-occupied-nodes": z.boolean().optional(),
  expander: oneOf("least-waste", "most-pods", "priority", "random").optional(),
  "ignore-daemonsets-utilization": z.boolean().optional(),
  "max-empty-bulk-delete": digits.optional(),
  "max-graceful-termination-sec": digits.optional(),
  "max-node-provision-time": duration.optional(),
  "max-total-unready-percentage": digits.optional(),
  "new-pod-scale-up-delay": duration.optional(),
  "ok-total-unready-count": digits.optional(),
  "scale-down-delay-after-add": duration.optional(),
  "scale-down-delay-after-delete": duration.optional(),
  "scale-down-delay-after-failure": duration.optional(),
  "scale-down-unneeded-time": duration.optional(),
  "scale-down-unready-time": duration.optional(),
  "scale-down-utilization-threshold": z
    .string()
    .regex(/^0?\.\d+$|^[01]$/, "must be a number from 0 to 1")
    .optional(),
  "scan-interval": duration.optional(),
  "skip-nodes-with-local-storage": trueOrFalse.optional(),
  "skip-nodes-with-system-pods": trueOrFalse.optional(),
});

export const autoUpgradeProfile = known({
  upgradeChannel: oneOf("none", "patch", "stable", "rapid", "node-image").optional(),
  nodeOSUpgradeChannel: oneOf("None", "Unmanaged", "NodeImage", "SecurityPatch").optional(),
});

export const azureMonitorProfile = known({
  metrics: known({
    enabled: z.boolean(),
    kubeStateMetrics: known({ metricLabelsAllowlist: z.string().optional(), metricAnnotationsAllowList: z.string().optional() }).optional(),
    controlPlane: controlPlaneMetrics,
  }).optional(),
  appMonitoring,
});

const enabled = known({ enabled: z.boolean().optional() });

export const securityProfile = known({
  azureKeyVaultKms: known({
    enabled: z.boolean().optional(),
    keyId: z.string().optional(),
    keyVaultNetworkAccess: oneOf("Public", "Private").optional(),
    keyVaultResourceId: z.string().optional(),
  }).optional(),
  imageCleaner: known({ enabled: z.boolean().optional(), intervalHours: z.int().min(24).max(2160).optional() }).optional(),
  workloadIdentity: enabled.optional(),
  defender,
  customCATrustCertificates: z.array(z.string()).max(10).optional(),
});

export const serviceMeshProfile = known({
  mode: oneOf("Istio", "Disabled"),
  istio: known({
    components: known({
      ingressGateways: z.array(known({ mode: oneOf("External", "Internal"), enabled: z.boolean() })).optional(),
      egressGateways: z
        .array(
          known({
            enabled: z.boolean(),
            name: z.string(),
            namespace: z.string().optional(),
            gatewayConfigurationName: z.string().optional(),
          }),
        )
        .optional(),
      proxyRedirectionMechanism: oneOf("InitContainers", "CNIChaining").optional(),
    }).optional(),
    certificateAuthority,
    revisions: z
      .array(z.string().regex(/^asm-\d+-\d+$/, "must be a revision such as asm-1-28"))
      .max(2)
      .optional(),
  }).optional(),
});

export const ingressProfile = known({
  gatewayAPI: known({ installation: oneOf("Disabled", "Standard") }).optional(),
  webAppRouting,
});

export const storageProfile = known({
  diskCSIDriver: known({ enabled: z.boolean().optional(), version: z.string().optional() }).optional(),
  fileCSIDriver: enabled.optional(),
  snapshotController: enabled.optional(),
  blobCSIDriver: enabled.optional(),
});

export const nodeResourceGroupProfile = known({ restrictionLevel: oneOf("Unrestricted", "ReadOnly") });

const assigned = known({ resourceId: z.string(), clientId: z.string().optional(), objectId: z.string().optional() });
export const identityProfile = known({ kubeletidentity: assigned.optional() });

const loadBalancerProfile = known(
  {
    managedOutboundIPs: known({ count: z.int().min(1).max(100).optional(), countIPv6: z.int().min(0).max(100).optional() }).optional(),
    outboundIPs: known({ publicIPs: z.array(reference).min(1) }).optional(),
    outboundIPPrefixes: known({ publicIPPrefixes: z.array(reference).min(1) }).optional(),
    allocatedOutboundPorts: z.int().min(0).max(64000).optional(),
    idleTimeoutInMinutes: z.int().min(4).max(120).optional(),
    enableMultipleStandardLoadBalancers: z.boolean().optional(),
    backendPoolType: oneOf("nodeIPConfiguration", "nodeIP").optional(),
  },
  ["effectiveOutboundIPs"],
);

export const networkProfile = known(
  {
    networkPlugin: oneOf("azure", "kubenet", "none").optional(),
    networkPluginMode: oneOf("overlay").optional(),
    networkPolicy: oneOf("azure", "calico", "cilium", "none").optional(),
    networkDataplane: oneOf("azure", "cilium").optional(),
    loadBalancerSku: oneOf("standard").optional(),
    loadBalancerProfile: loadBalancerProfile.optional(),
    ...ofNetwork,
    outboundType: oneOf("loadBalancer", "userDefinedRouting", "managedNATGateway", "userAssignedNATGateway", "none").optional(),
    podCidr: z.string().optional(),
    podCidrs: z.array(z.string()).optional(),
    serviceCidr: z.string().optional(),
    serviceCidrs: z.array(z.string()).optional(),
    dnsServiceIP: z.string().optional(),
    ipFamilies: z.array(oneOf("IPv4", "IPv6")).optional(),
  },
  ["dockerBridgeCidr"],
);

export type ServiceMeshProfile = z.output<typeof serviceMeshProfile>;
export type NetworkProfile = z.output<typeof networkProfile>;
export type LoadBalancerProfile = z.output<typeof loadBalancerProfile>;

/** The members that this program and the SDKs rely on in what Azure says about AKS clusters, connected clusters, and what a region offers them. */
import { boolean, list, number, object, optional, record, text, type Check } from "./members.js";

const texts = optional(list(text));
const word = optional(text);
const flag = optional(boolean);
const count = optional(number);
const references = optional(list(object({ id: text })));
const identity = object({ resourceId: word, clientId: word, objectId: word });

/** Of an agent pool, in the cluster and alone. */
export const agentPool: Readonly<Record<string, Check>> = {
  mode: word,
  vmSize: word,
  count,
  minCount: count,
  maxCount: count,
  maxPods: count,
  osDiskSizeGB: count,
  enableAutoScaling: flag,
  vnetSubnetID: word,
  podSubnetID: word,
  orchestratorVersion: word,
  currentOrchestratorVersion: word,
  availabilityZones: texts,
  nodeTaints: texts,
  nodeLabels: optional(record(text)),
  powerState: optional(object({ code: word })),
  upgradeSettings: optional(object({ maxSurge: word })),
};

export const managedCluster: Readonly<Record<string, Check>> = {
  agentPoolProfiles: optional(list(object({ name: text, ...agentPool }))),
  nodeResourceGroup: word,
  kubernetesVersion: word,
  currentKubernetesVersion: word,
  fqdn: word,
  powerState: optional(object({ code: word })),
  addonProfiles: optional(record(object({ enabled: boolean, config: optional(record(text)), identity: optional(identity) }))),
  identityProfile: optional(record(identity)),
  aadProfile: optional(object({ adminGroupObjectIDs: texts })),
  apiServerAccessProfile: optional(object({ authorizedIPRanges: texts })),
  networkProfile: optional(
    object({
      networkPlugin: word,
      outboundType: word,
      ipFamilies: texts,
      podCidrs: texts,
      serviceCidrs: texts,
      loadBalancerProfile: optional(object({ outboundIPs: optional(object({ publicIPs: references })), effectiveOutboundIPs: references })),
    }),
  ),
  oidcIssuerProfile: optional(object({ issuerURL: word })),
  serviceMeshProfile: optional(
    object({
      mode: word,
      istio: optional(
        object({
          revisions: texts,
          components: optional(object({ ingressGateways: optional(list(object({ mode: word, enabled: flag }))) })),
        }),
      ),
    }),
  ),
};

export const connectedCluster: Readonly<Record<string, Check>> = {
  agentPublicKeyCertificate: word,
  connectivityStatus: word,
  distribution: word,
  distributionVersion: word,
  infrastructure: word,
  kubernetesVersion: word,
  agentVersion: word,
  totalNodeCount: count,
  totalCoreCount: count,
  lastConnectivityTime: word,
  managedIdentityCertificateExpirationTime: word,
  arcAgentProfile: optional(object({ agentAutoUpgrade: word, desiredAgentVersion: word })),
  gateway: optional(object({ enabled: flag, resourceId: word })),
  oidcIssuerProfile: optional(object({ enabled: flag, issuerUrl: word, selfHostedIssuerUrl: word })),
  securityProfile: optional(object({ workloadIdentity: optional(object({ enabled: flag })) })),
};

export const arcExtension: Readonly<Record<string, Check>> = {
  extensionType: text,
  autoUpgradeMinorVersion: flag,
  releaseTrain: word,
  version: word,
  currentVersion: word,
  scope: optional(object({ cluster: optional(object({ releaseNamespace: word })) })),
  configurationSettings: optional(record(text)),
  statuses: optional(list(object({ code: word, displayStatus: word, level: word, message: word }))),
};

export const kubeconfigs: Check = object({ kubeconfigs: list(object({ value: text })) });

export const kubernetesVersions: Check = object({
  values: list(
    object({
      version: text,
      capabilities: optional(object({ supportPlan: texts })),
      patchVersions: optional(record(object({ upgrades: texts }))),
    }),
  ),
});

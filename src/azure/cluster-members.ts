/** The required members of responses about AKS clusters, connected clusters and the offers of a region. */
import { z } from "zod";

const text = z.string();
const texts = z.array(text).nullish();
const word = text.nullish();
const flag = z.boolean().nullish();
const count = z.number().nullish();
const references = z.array(z.object({ id: text })).nullish();
const identity = z.object({ resourceId: word, clientId: word, objectId: word });

/** An agent pool has the same members in its cluster and as a resource. */
export const agentPool = () => ({
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
  nodeLabels: z.record(text, text).nullish(),
  powerState: z.object({ code: word }).nullish(),
  upgradeSettings: z.object({ maxSurge: word }).nullish(),
});

export const managedCluster = () => ({
  agentPoolProfiles: z.array(z.object({ name: text, ...agentPool() })).nullish(),
  nodeResourceGroup: word,
  kubernetesVersion: word,
  currentKubernetesVersion: word,
  fqdn: word,
  powerState: z.object({ code: word }).nullish(),
  addonProfiles: z
    .record(text, z.object({ enabled: z.boolean(), config: z.record(text, text).nullish(), identity: identity.nullish() }))
    .nullish(),
  identityProfile: z.record(text, identity).nullish(),
  aadProfile: z.object({ adminGroupObjectIDs: texts }).nullish(),
  apiServerAccessProfile: z.object({ authorizedIPRanges: texts }).nullish(),
  networkProfile: z
    .object({
      networkPlugin: word,
      outboundType: word,
      ipFamilies: texts,
      podCidrs: texts,
      serviceCidrs: texts,
      loadBalancerProfile: z
        .object({ outboundIPs: z.object({ publicIPs: references }).nullish(), effectiveOutboundIPs: references })
        .nullish(),
    })
    .nullish(),
  oidcIssuerProfile: z.object({ issuerURL: word }).nullish(),
  serviceMeshProfile: z
    .object({
      mode: word,
      istio: z
        .object({
          revisions: texts,
          components: z.object({ ingressGateways: z.array(z.object({ mode: word, enabled: flag })).nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

export const connectedCluster = () => ({
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
  arcAgentProfile: z.object({ agentAutoUpgrade: word, desiredAgentVersion: word }).nullish(),
  gateway: z.object({ enabled: flag, resourceId: word }).nullish(),
  oidcIssuerProfile: z.object({ enabled: flag, issuerUrl: word, selfHostedIssuerUrl: word }).nullish(),
  securityProfile: z.object({ workloadIdentity: z.object({ enabled: flag }).nullish() }).nullish(),
});

export const arcExtension = () => ({
  extensionType: text,
  autoUpgradeMinorVersion: flag,
  releaseTrain: word,
  version: word,
  currentVersion: word,
  scope: z.object({ cluster: z.object({ releaseNamespace: word }).nullish() }).nullish(),
  configurationSettings: z.record(text, text).nullish(),
  statuses: z.array(z.object({ code: word, displayStatus: word, level: word, message: word })).nullish(),
});

export const kubeconfigs = () => z.object({ kubeconfigs: z.array(z.object({ value: text })) });

export const kubernetesVersions = () =>
  z.object({
    values: z.array(
      z.object({
        version: text,
        capabilities: z.object({ supportPlan: texts }).nullish(),
        patchVersions: z.record(text, z.object({ upgrades: texts })).nullish(),
      }),
    ),
  });

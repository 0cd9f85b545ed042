/** Differences of a recording that say nothing of how Azure answers: they come of the recorder, its subscription, or its day. */
import type { ReplayDifference, ReplayRow } from "./replay-rows.js";

interface Noise {
  /** Of the request's kind. */
  readonly of: RegExp;
  /** Of the difference's kind. */
  readonly as: RegExp;
  /** Of the member. */
  readonly at: RegExp;
  /** Of Azure's value; by default, any. */
  readonly azure?: RegExp;
  /** The day of the change since which Azure answers as here: only older recordings differ. */
  readonly before?: string;
  readonly why: string;
}

const aks = /^Microsoft\.ContainerService\//i;
const storage = /^Microsoft\.Storage\/storageAccounts/i;
const value = /^value$/;
const extra = /^extra$/;

const noise: readonly Noise[] = [
  {
    of: aks,
    as: value,
    at: /(?:^|\.)(?:current)?(?:kubernetes|orchestrator)Version$|\.nodeImageVersion$/i,
    why: "a version of Kubernetes or of a node image ends within a year",
  },
  {
    of: aks,
    as: /^(?:value|extra)$/,
    at: /\.oidcIssuerProfile\.(?:enabled|issuerURL)$/,
    azure: /^false$/,
    why: "the issuer is on by default since Kubernetes 1.34, and the recorded clusters are older",
  },
  { of: aks, as: extra, at: /\.resourceUID$/, before: "2023-11-01", why: "all versions have it since" },
  { of: aks, as: extra, at: /\.autoUpgradeProfile$/, before: "2023-08-01", why: "node images have a default channel since" },
  {
    of: aks,
    as: extra,
    at: /\.(?:networkDataplane|networkPluginMode|scaleDownMode|upgradeSettings)$/,
    before: "2025-01-01",
    why: "a cluster without a network profile has an overlay network since, and its pools the defaults of that day",
  },
  {
    of: aks,
    as: value,
    at: /\.(?:maxPods|networkPlugin)$/,
    azure: /^(?:110|kubenet)$/,
    before: "2025-01-01",
    why: "a cluster without a network profile has an overlay network since",
  },
  { of: aks, as: extra, at: /\.securityProfile\.sshAccess$/, before: "2026-01-01", why: "all versions that describe it have it since" },
  {
    of: aks,
    as: /^(?:missing|extra|value)$/,
    at: /\.(?:dockerBridgeCidr|supportPlan|workloadAutoScalerProfile|oidcIssuerProfile)$|^sku\.name$/,
    before: "2023-02-01",
    why: "the recorder replaces the api-version with one of 2023, which has other members, and another SKU",
  },
  { of: aks, as: value, at: /\.maintenanceWindow\.startDate$/, why: "by default, the day of the request" },
  {
    of: aks,
    as: /^missing$/,
    at: /\.addonProfiles$/,
    azure: /^true$/,
    why: "a policy of that subscription gives each cluster the add-on of policies",
  },
  { of: /\/locations\/kubernetesVersions /, as: /./, at: /./, why: "versions of Kubernetes end within a year" },
  { of: aks, as: value, at: /\.(?:azurePortalFQDN|resourceUID)$/, why: "random" },
  { of: aks, as: value, at: /^kubeconfigs\[\]\.value$/, why: "certificates and tokens of that cluster" },
  { of: /^graph applications/, as: value, at: /(?:^|\.)publisherDomain$/, why: "a domain of that tenant" },
  { of: /^graph .*\/owners$/, as: /./, at: /^value\[\]/, why: "the recorder is a user, the replayer an application" },
  {
    of: /^graph applications/,
    as: extra,
    at: /(?:^|\.)(?:requestSignatureVerification|samlMetadataUrl|servicePrincipalLockConfiguration|uniqueName|redirectUriSettings)$/,
    before: "2023-06-01",
    why: "Graph has one version, and got these members later",
  },
  {
    of: /^graph applications/,
    as: value,
    at: /(?:^|\.)(?:signInAudience|requestedAccessTokenVersion)$/,
    azure: /^(?:AzureADandPersonalMicrosoftAccount|2)$/,
    before: "2023-06-01",
    why: "another default",
  },
  {
    of: /^resources$/,
    as: /^missing$/,
    at: /^nextLink$/,
    before: "2023-06-01",
    why: "lists filtered by name ended with a page without entries",
  },
  { of: storage, as: value, at: /\.minimumTlsVersion$/, azure: /^TLS1_0$/, before: "2024-01-01", why: "another default" },
  { of: storage, as: extra, at: /\.minimumTlsVersion$/, before: "2025-01-01", why: "not answered if it was not sent" },
  {
    of: storage,
    as: value,
    at: /\.allowBlobPublicAccess$/,
    azure: /^false$/,
    before: "2025-10-01",
    why: "another default for two years",
  },
  { of: storage, as: extra, at: /\.allowCrossTenantReplication$/, before: "2024-01-01", why: "without a default" },
  { of: storage, as: value, at: /\.primaryEndpoints\.web$/, why: "its number is that of a zone of the region" },
  { of: storage, as: value, at: /^keys\[\]\.value$/, why: "keys are random" },
  {
    of: /^(?:vault |Microsoft\.KeyVault\/)/i,
    as: value,
    at: /(?:^|\.)(?:recoveryLevel|recoverableDays|softDeleteRetentionInDays)$/,
    azure: /^(?:CustomizedRecoverable.*|7)$/,
    why: "vaults from before the recording are made by the replayer, with the default of 90 days",
  },
  { of: /^vault /, as: value, at: /^key\.n$/, why: "keys are random" },
  { of: /^vault \w+\/backup$/, as: value, at: /^value$/, why: "only the vault reads it" },
  { of: /^vault secrets$/, as: value, at: /^value$/, azure: /^MII/, why: "a certificate with its key" },
  {
    of: /^Microsoft\.Network\/networkInterfaces/i,
    as: value,
    at: /\.internalDomainNameSuffix$/,
    why: "random",
  },
];

export function isNoise({ kind, url, at: recordedAt }: Pick<ReplayRow, "kind" | "url" | "at">, [as, at, azure]: ReplayDifference): boolean {
  const ofOthers = kind.endsWith(" (list)") && !/\/resourceGroups\//i.test(url) && at.startsWith("value[]");
  return (
    ofOthers ||
    noise.some(
      (one) =>
        one.of.test(kind) &&
        one.as.test(as) &&
        one.at.test(at) &&
        (azure === null || one.azure?.test(azure) !== false) &&
        (one.before === undefined || (recordedAt !== null && recordedAt * 1000 < Date.parse(one.before))),
    )
  );
}

const ourProviders = [
  "Authorization",
  "Compute",
  "ContainerService",
  "KeyVault",
  "Kubernetes",
  "KubernetesConfiguration",
  "ManagedIdentity",
  "Network",
  "Resources",
  "Storage",
];

/** Next to types that the product, or what lives in its groups, touches. */
const foreignTypes =
  /^microsoft\.(?:network\/(?:applicationGateway|connections|ddos|localNetworkGateways|networkWatchers|trafficManagerProfiles|virtualNetworkGateways)|authorization\/resourceManagementPrivateLinks|compute\/diskAccesses)/i;

/** Requests for what the product does not touch: the tests that were recorded are about other things too. */
export function isForeign({ kind }: Pick<ReplayRow, "kind">): boolean {
  const provider = /^microsoft\.(\w+)/i.exec(kind)?.[1]?.toLowerCase();
  return provider !== undefined && (foreignTypes.test(kind) || !ourProviders.some((one) => one.toLowerCase() === provider));
}

/** Refusals of a request that repeats what a recorded answer said: an ended version of Kubernetes, a vault's retention, its backup. */
const repeatsWhatDiffers = [
  "AgentPoolK8sVersionNotSupported",
  'softDeleteRetentionInDays\\" has been set already',
  "Backup blob is corrupt or is not a backup",
];

/** The recorder has written the body of the request as a value of Python. */
const spoiled = "Unexpected token 'b'";

/** What Graph answers a user about itself: the replayer is an application, and refused. */
const ofUsers = /^graph me(?:\/|$)/;

/** The rows, without those whose request cannot be sent again as it was. */
export function repeatable(rows: readonly ReplayRow[]): readonly ReplayRow[] {
  const made = new Set<string>();
  return rows.filter((row) => {
    const place = `${row.recording} ${(row.url.split("?")[0] ?? "").toLowerCase()}`;
    if (row.method === "PUT") made.add(place);
    // The replayer makes the groups that were there before, with tags and a location of its own.
    const wasThereBefore =
      row.method === "GET" && row.recorded === 200 && (row.answered === 404 || row.kind === "resourceGroups") && !made.has(place);
    return (
      !wasThereBefore && !ofUsers.test(row.kind) && ![...repeatsWhatDiffers, spoiled].some((words) => row.answeredError?.includes(words))
    );
  });
}

/** Differences of a recording that say nothing of how Azure answers: they come of the recorder, its subscription, or its day. */
import type { ReplayDifference, ReplayRow } from "./replay-rows.js";

interface Noise {
  /** Of the request's kind. */
  readonly of: RegExp;
  /** Of the difference's kind. */
  readonly as: RegExp;
  /** Of the member. */
  readonly at: RegExp;
  readonly why: string;
}

const aks = /^Microsoft\.ContainerService\//i;

const noise: readonly Noise[] = [
  {
    of: aks,
    as: /^value$/,
    at: /(?:^|\.)(?:current)?(?:kubernetes|orchestrator)Version$|\.nodeImageVersion$/i,
    why: "a version of Kubernetes or of a node image ends within a year",
  },
  { of: aks, as: /^value$/, at: /\.(?:azurePortalFQDN|resourceUID)$/, why: "random" },
  { of: aks, as: /^value$/, at: /^kubeconfigs\[\]\.value$/, why: "certificates and tokens of that cluster" },
  {
    of: /^Microsoft\.Storage\/storageAccounts(?: \(list\))?$/i,
    as: /^(?:value|extra)$/,
    at: /properties\.(?:minimumTlsVersion|allowBlobPublicAccess|allowCrossTenantReplication)$/,
    why: "defaults that Azure has changed since, for every version",
  },
  { of: /^Microsoft\.Storage\/storageAccounts\/listKeys/i, as: /^value$/, at: /^keys\[\]\.value$/, why: "keys of that account" },
  {
    of: /^vault /,
    as: /^value$/,
    at: /attributes\.(?:recoveryLevel|recoverableDays)$/,
    why: "the replayer does not know the retention of a vault that was there before",
  },
  { of: /^vault keys/, as: /^value$/, at: /^key\.(?:n|x|y)$/, why: "random" },
  { of: /^vault \w+\/backup$/, as: /^value$/, at: /^value$/, why: "sealed by that vault" },
  { of: /^graph applications/, as: /^value$/, at: /(?:^|\.)publisherDomain$/, why: "a domain of that tenant" },
];

export function isNoise({ kind }: Pick<ReplayRow, "kind">, [as, at]: ReplayDifference): boolean {
  return noise.some((one) => one.of.test(kind) && one.as.test(as) && one.at.test(at));
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
  /^microsoft\.(?:network\/(?:applicationGateway|connections|ddos|localNetworkGateways|networkWatchers|virtualNetworkGateways)|compute\/diskAccesses)/i;

/** Requests for what the product does not touch: the tests that were recorded are about other things too. */
export function isForeign({ kind }: Pick<ReplayRow, "kind">): boolean {
  const provider = /^microsoft\.(\w+)/i.exec(kind)?.[1]?.toLowerCase();
  return provider !== undefined && (foreignTypes.test(kind) || !ourProviders.some((one) => one.toLowerCase() === provider));
}

/** The rows, without those whose request cannot be sent again as it was. */
export function repeatable(rows: readonly ReplayRow[]): readonly ReplayRow[] {
  const made = new Set<string>();
  return rows.filter((row) => {
    const place = `${row.recording} ${(row.url.split("?")[0] ?? "").toLowerCase()}`;
    if (row.method === "PUT") made.add(place);
    // The replayer makes the groups that were there before, with tags and a location of its own.
    const wasThereBefore =
      row.method === "GET" && row.recorded === 200 && (row.answered === 404 || row.kind === "resourceGroups") && !made.has(place);
    // The request repeats the version that a recorded answer named, which has ended since.
    const namesEndedVersion = row.answeredError?.includes("AgentPoolK8sVersionNotSupported") === true;
    return !wasThereBefore && !namesEndedVersion;
  });
}

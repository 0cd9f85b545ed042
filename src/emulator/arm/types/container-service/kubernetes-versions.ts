/** The Kubernetes versions that AKS offers in every region: listed, upgraded to, and required of clusters and pools. */
import { inSubscription } from "../../endpoint.js";
import { aksVersions, refusal } from "./provider.js";

interface Minor {
  readonly version: string;
  readonly plans: readonly ("KubernetesOfficial" | "AKSLongTermSupport")[];
  /** Oldest first. */
  readonly patches: readonly string[];
  readonly kind?: "default" | "preview";
}

const both = ["KubernetesOfficial", "AKSLongTermSupport"] as const;

/** Oldest first. */
const minors: readonly Minor[] = [
  { version: "1.32", plans: ["AKSLongTermSupport"], patches: ["1.32.10", "1.32.11"] },
  { version: "1.33", plans: both, patches: ["1.33.9", "1.33.10"] },
  { version: "1.34", plans: both, patches: ["1.34.8", "1.34.9"] },
  { version: "1.35", plans: both, patches: ["1.35.6", "1.35.7"], kind: "default" },
  { version: "1.36", plans: both, patches: ["1.36.1"], kind: "preview" },
];
const allPatches = minors.flatMap(({ patches }) => patches);
const defaultMinor = minors.find(({ kind }) => kind === "default")?.version ?? "";

/** The version as it was sent, and the patch that runs. */
export interface Version {
  readonly wanted: string;
  readonly current: string;
}

export type SupportPlan = Minor["plans"][number];

const minorOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** A minor version stands for its newest patch. @throws ApiError if AKS does not offer the version, or not with this plan */
export function offered(sent: string | undefined, plan: SupportPlan): Version {
  const wanted = sent ?? defaultMinor;
  const minor = minors.find(({ version }) => version === minorOf(wanted));
  const current = wanted === minor?.version ? minor.patches.at(-1) : minor?.patches.find((patch) => patch === wanted);
  if (minor === undefined || current === undefined) {
    throw refusal(
      400,
      "AgentPoolK8sVersionNotSupported",
      `Version ${wanted} is not supported in this region. Please use [az aks get-versions] command to get the supported version list in this ` +
        "region. For more information, please check https://aka.ms/supported-version-list",
    );
  }
  if (!minor.plans.includes(plan)) {
    throw refusal(
      400,
      "K8sVersionNotSupported",
      `Managed cluster is on version ${current} which is only available for Long-Term Support (LTS). ` +
        "If you intend to onboard to LTS, please ensure the cluster is in Premium tier and LTS support plan. Otherwise, use [az aks " +
        "get-versions] command to get the supported version list in this region. For more information, please check " +
        "https://aka.ms/aks/supported-version-list",
    );
  }
  return { wanted, current };
}

/** The version after an update that asks for `sent`. @throws ApiError if that is no upgrade which AKS offers */
export function upgraded(before: Version, sent: string | undefined, plan: SupportPlan): Version {
  if (sent === undefined || sent === before.wanted || sent === before.current) return before;
  const next = offered(sent, plan);
  if (next.current === before.current) return next;
  const available = upgradesFrom(before.current).map(({ kubernetesVersion }) => kubernetesVersion);
  if (available.includes(next.current)) return next;
  throw refusal(
    400,
    "OperationNotAllowed",
    `Upgrading Kubernetes version ${before.current} to ${next.current} is not allowed. Available upgrades: [${available.join(" ")}]. ` +
      "See https://aka.ms/aks-supported-k8s-ver for version details.",
  );
}

/** Newer patches of the minor version, and those of the next one. */
export function upgradesFrom(current: string): { readonly kubernetesVersion: string; readonly isPreview?: true }[] {
  const index = minors.findIndex(({ version }) => version === minorOf(current));
  return minors
    .slice(index, index + 2)
    .flatMap(({ patches, kind }) =>
      patches
        .filter((patch) => patchNumber(patch) > patchNumber(current) || minorOf(patch) !== minorOf(current))
        .map((kubernetesVersion) => ({ kubernetesVersion, ...(kind === "preview" && { isPreview: true as const }) })),
    );
}

function patchNumber(version: string): number {
  return Number(version.split(".")[2]);
}

/** @throws ApiError if nodes would run a newer version than the control plane, or one that is too old for it */
export function requireCompatible(pool: Version, cluster: Version): void {
  const [node, control] = [pool.current, cluster.current].map((version) => allPatches.indexOf(version));
  const [nodeMinor, controlMinor] = [pool.current, cluster.current].map((version) => Number(version.split(".")[1]));
  if (node === undefined || control === undefined || nodeMinor === undefined || controlMinor === undefined) return;
  if (nodeMinor > controlMinor || controlMinor - nodeMinor > 3 || (nodeMinor === controlMinor && node > control)) {
    throw refusal(
      400,
      "NodePoolMcVersionIncompatible",
      `Node pool version ${pool.current} and control plane version ${cluster.current} are incompatible. ` +
        "For more information, please check https://aka.ms/aks/UpgradeVersionRules",
    );
  }
}

/** Since this version, AKS enables the issuer of every new cluster. */
export function hasIssuerByDefault({ current }: Version): boolean {
  return Number(current.split(".")[1]) >= 34;
}

export const kubernetesVersionsEndpoint = inSubscription({
  path: "Microsoft.ContainerService/locations/{location}/kubernetesVersions",
  action: "Microsoft.ContainerService/locations/kubernetesversions/read",
  versions: aksVersions.filter((version) => version >= "2023-03-01"),
  body: list,
});

function list() {
  const values = minors.map(({ version, plans, patches, kind }) => ({
    version,
    ...(kind === "default" && { isDefault: true }),
    ...(kind === "preview" && { isPreview: true }),
    capabilities: { supportPlan: plans },
    patchVersions: Object.fromEntries(
      patches.map((patch) => [patch, { upgrades: upgradesFrom(patch).map(({ kubernetesVersion }) => kubernetesVersion) }]),
    ),
  }));
  return { values: values.reverse() };
}

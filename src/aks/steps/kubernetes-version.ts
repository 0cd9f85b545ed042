/** The Kubernetes version of an AKS cluster: one that its region offers. */
import type { KubernetesVersion } from "@azure/arm-containerservice";
import { didYouMean } from "../../text/did-you-mean.js";
import { compareVersions } from "../../domain/kubernetes-versions.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { refuse } from "../../steps/ownership-decision.js";
import type { AksContext } from "./context.js";
import type { LiveCluster } from "./live-cluster.js";

export interface VersionOutput {
  /** The version of the option, or the region's default; undefined if an existing cluster keeps its own. */
  readonly version: string | undefined;
}

interface Offer {
  readonly offered: readonly KubernetesVersion[];
  /** The version of the existing cluster, and the one that it runs. */
  readonly current: readonly string[];
  readonly runs: string | undefined;
  readonly exists: boolean;
}

/** A version that the cluster has already is right, even if the region offers it no more. */
export function kubernetesVersion({ azure, spec }: AksContext, liveCluster: LiveCluster): Step<VersionOutput> {
  const { location, kubernetesVersion: wish, isVersionRecorded = false } = spec;
  const wantedFor = ({ runs }: Partial<Offer>) =>
    isVersionRecorded && wish !== undefined && runs !== undefined && compareVersions(wish, runs) < 0 ? undefined : wish;
  return defineLookup({
    id: "kubernetes-version",
    subject: { kind: "offer" },
    title: wish === undefined ? `Kubernetes version in ${location}` : `Kubernetes ${wish} in ${location}`,
    needs: {},
    async read(): Promise<Offer> {
      const { managedClusters } = await azure.clusters();
      const [live, { values = [] }] = await Promise.all([liveCluster(), managedClusters.listKubernetesVersions(location)]);
      const current = [live?.kubernetesVersion, live?.currentKubernetesVersion].filter((one) => one !== undefined);
      return { offered: values, current, runs: current.at(-1), exists: live !== undefined };
    },
    decide(live) {
      const { offered = [], current = [], exists = false } = live ?? {};
      const wanted = wantedFor(live ?? {});
      if (wanted === undefined && (exists || defaultOf(offered) !== undefined)) return { act: "use" };
      const versions = offered.flatMap(({ version = "", patchVersions = {} }) => [version, ...Object.keys(patchVersions)]);
      if (wanted !== undefined && [...versions, ...current].includes(wanted)) return { act: "use" };
      const minors = offered.filter(({ isPreview }) => isPreview !== true).map(({ version = "" }) => version);
      return refuse("ARO-AKS-001", `AKS in ${location} does not offer Kubernetes ${wanted ?? "by default"}`, {
        because: `it offers ${versionsText(minors)}${wanted === undefined ? "" : didYouMean(wanted, versions)}`,
        next: ["pass one of these as --kubernetes-version, or choose another --location"],
      });
    },
    output: ({ offered, runs, exists }) => ({ version: wantedFor({ runs }) ?? (exists ? undefined : defaultOf(offered)) }),
  });
}

function defaultOf(offered: readonly KubernetesVersion[]): string | undefined {
  return offered.find(({ isDefault }) => isDefault === true)?.version;
}

function versionsText(versions: readonly string[]): string {
  return versions.length === 0 ? "none" : versions.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).join(", ");
}

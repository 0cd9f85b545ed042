/** What a step of an AKS cluster adds to the cluster's output file. */
import type { Step } from "../../engine/step.js";
import type { KnownAksCluster } from "../../files/aks-cluster-output.js";

export interface DocumentedClusterStep {
  readonly step: Step<unknown>;
  /** `known` are the values so far: steps that add to one list run in any order. */
  facts(output: unknown, known: KnownAksCluster): Partial<KnownAksCluster>;
}

/** `facts` gets the typed output of the step. */
export function documents<Output>(
  step: Step<Output>,
  facts: (output: Output, known: KnownAksCluster) => Partial<KnownAksCluster>,
): DocumentedClusterStep {
  return { step, facts };
}

/** The output document of a management or service cluster, updated while the steps run. */
import type { Step } from "../../engine/step.js";
import { aksClusterOutput, type AksClusterOutput, type KnownAksCluster } from "../../files/aks-cluster-output.js";
import type { OutputFile } from "../../files/output-file.js";
import { writeDocument } from "../../files/write.js";
import type { DocumentedClusterStep } from "../steps/documented.js";

export interface AksClusterDocument {
  /** Adds the outputs of a step; writes the file if they changed it. */
  add(step: Step<unknown>, output: unknown): Promise<void>;
  current(): AksClusterOutput;
}

/** Rewritten whole after each step that adds to it, so that an interrupted run leaves its known values. */
export function aksClusterDocument(
  initial: KnownAksCluster,
  documented: readonly DocumentedClusterStep[],
  file: OutputFile | undefined,
): AksClusterDocument {
  let known = initial;
  return {
    async add(step, output) {
      const additions = documented.filter((one) => one.step === step).map(({ facts }) => facts(output, known));
      if (additions.length === 0) return;
      known = Object.assign({}, known, ...additions) as KnownAksCluster;
      if (file !== undefined) await writeDocument(file, aksClusterOutput(known));
    },
    current: () => aksClusterOutput(known),
  };
}

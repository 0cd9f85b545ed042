/** The output document of `create infra`, updated while the steps run. */
import type { Step } from "../engine/step.js";
import { infraOutput, type InfraOutput, type KnownInfra } from "../files/infra-output.js";
import type { OutputFile } from "../files/output-file.js";
import { writeDocument } from "../files/write.js";
import type { DocumentedSteps } from "./steps/infra.js";

export interface InfraDocument {
  /** Adds the outputs of a step; writes the file if they changed it. */
  add(step: Step<unknown>, output: unknown): Promise<void>;
  /** Adds values from outside the infrastructure steps: the identities, if created in the same run. */
  know(addition: Partial<KnownInfra>): Promise<void>;
  current(): InfraOutput;
}

/** The values that each step adds. */
const additions: { readonly [K in keyof DocumentedSteps]: (output: OutputOf<DocumentedSteps[K]>) => Partial<KnownInfra> } = {
  managedGroup: ({ name }) => ({ resourceGroupName: name }),
  publicZone: ({ id }) => ({ publicZoneId: id }),
  privateZone: ({ id }) => ({ privateZoneId: id }),
  vnet: ({ id, subnetId }) => ({ vnetId: id, subnetId }),
  nsg: ({ id }) => ({ securityGroupId: id }),
};

type OutputOf<S> = S extends Step<infer Output> ? Output : never;

/** Rewritten whole after each step that adds to it, so that an interrupted run leaves its known values. */
export function infraDocument(known: KnownInfra, documented: DocumentedSteps, file: OutputFile | undefined): InfraDocument {
  let current = known;
  const know = async (addition: Partial<KnownInfra>) => {
    current = { ...current, ...addition };
    if (file !== undefined) await writeDocument(file, infraOutput(current));
  };
  return {
    know,
    async add(step, output) {
      for (const [key, documentedStep] of Object.entries(documented)) {
        if (documentedStep !== step) continue;
        const addition = additions[key as keyof DocumentedSteps] as (output: unknown) => Partial<KnownInfra>;
        await know(addition(output));
      }
    },
    current: () => infraOutput(current),
  };
}

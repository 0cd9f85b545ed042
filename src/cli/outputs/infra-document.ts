/** The output document of `create infra`, kept current while the steps run. */
import type { Step } from "../../engine/step.js";
import { infraOutput, type InfraOutput, type KnownInfra } from "../../files/infra-output.js";
import { writeDocument } from "../../files/write.js";
import type { DocumentedSteps } from "../../steps/infra.js";

export interface InfraDocument {
  /** Adds what a step handed on; writes the file where that changed it. */
  add(step: Step<unknown>, output: unknown): Promise<void>;
  /** Adds what no step of the infrastructure hands on: its identities, where they are made in the same run. */
  know(addition: Partial<KnownInfra>): Promise<void>;
  current(): InfraOutput;
}

/** What each documented step adds. */
const additions: { readonly [K in keyof DocumentedSteps]: (output: OutputOf<DocumentedSteps[K]>) => Partial<KnownInfra> } = {
  managedGroup: ({ name }) => ({ resourceGroupName: name }),
  publicZone: ({ id }) => ({ publicZoneId: id }),
  privateZone: ({ id }) => ({ privateZoneId: id }),
  vnet: ({ id, subnetId }) => ({ vnetId: id, subnetId }),
  nsg: ({ id }) => ({ securityGroupId: id }),
};

type OutputOf<S> = S extends Step<infer Output> ? Output : never;

/** Rewritten whole after each step that adds to it, so that a run that dies has left what it knew. */
export function infraDocument(known: KnownInfra, documented: DocumentedSteps, path: string | undefined): InfraDocument {
  let current = known;
  const know = async (addition: Partial<KnownInfra>) => {
    current = { ...current, ...addition };
    if (path !== undefined) await writeDocument(path, infraOutput(current));
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

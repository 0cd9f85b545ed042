/** The identity flow with what a run did to each of its parts, for the report of a create. */
import { identityFlow, type FlowFacts, type FlowNode } from "../domain/identity-flow.js";
import { credentialSecretName } from "../domain/identity-names.js";
import { groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { RunResult, StepRun } from "../engine/run-result.js";
import { resourceOf, type Step } from "../engine/step.js";
import type { KnownIdentities } from "./files/identities-output.js";
import type { Drawing } from "../render/report/page.js";
import type { ShownResult } from "../render/verification-text.js";
import type { ApplicationOutput } from "../steps/applications.js";
import type { DocumentedIdentities } from "./steps/identities.js";
import { sameText } from "../text/same-text.js";
import { endOf } from "../run/reported-resources.js";

export interface CreatedIdentities extends Pick<
  FlowFacts,
  "clusterName" | "issuerUrl" | "groups" | "encryptionKey" | "customHcpRoles" | "disabledCapabilities"
> {
  /** The name of the identity set. */
  readonly set: string;
  readonly steps: readonly Step<unknown>[];
  readonly documented: DocumentedIdentities;
  readonly known: KnownIdentities;
}

interface EndedRun {
  readonly result: RunResult;
  /** The outputs of the finished steps, by their ID. */
  readonly outputs: ReadonlyMap<string, unknown>;
}

export function createdIdentityFlow(created: CreatedIdentities, { result, outputs }: EndedRun): Drawing {
  const { set, documented, known, ...facts } = created;
  const { vaultName, tenantId } = known;
  const controlPlane = documented.controlPlane.map(({ component, application }) => {
    const clientId = (outputs.get(application.id) as ApplicationOutput | undefined)?.clientId;
    return [component.field, { clientId, secretName: credentialSecretName({ name: set }, component) }] as const;
  });
  const flow = identityFlow({
    ...facts,
    vault: { name: vaultName, tenantId },
    controlPlane: Object.fromEntries(controlPlane),
    dataPlane: known.dataPlane,
  });
  const runs = new Map(result.steps.map((step) => [step.id, step]));
  const found = (steps: readonly Step<unknown>[]) => resultsOf(steps.flatMap(({ id }) => runs.get(id) ?? []));
  const byNode = flow.groups.flatMap(({ id, nodes }) => [
    [id, id === "secrets" ? found(created.steps.filter((step) => resourceOf(step)?.type === resourceTypes.keyVault.type)) : []] as const,
    ...nodes.map((node) => [node.id, found(stepsOf(node, created))] as const),
  ]);
  return { title: "From the secret to Azure, as this run left it", flow, found: new Map(byNode) };
}

/** The steps that make a node of the flow. A create does not see the pods. */
function stepsOf({ id, kind, subjects }: FlowNode, { steps, documented }: CreatedIdentities): readonly Step<unknown>[] {
  const [component = ""] = subjects;
  const control = documented.controlPlane.find((one) => one.component.key === component);
  switch (kind) {
    case "secret":
      if (id === "shared/issuer") return steps.filter(({ subject }) => subject?.kind === "blob");
      return control?.secretSteps ?? [];
    case "pod":
      return [];
    case "principal":
      return control?.principalSteps ?? documented.dataPlane.find((one) => one.component.key === component)?.principalSteps ?? [];
    case "role":
      return steps.filter(({ subject }) => subject?.kind === "role-assignment" && subject.component === component);
    case "scope":
      return steps.filter(
        (step) =>
          resourceOf(step)?.type === resourceTypes.resourceGroup.type &&
          subjects.some((name) => sameText(name, groupNameOf(step.resourceId))),
      );
  }
}

/** A skipped step is a warning if other steps of the same node are done: the node is neither complete nor skipped. */
function resultsOf(steps: readonly StepRun[]): ShownResult[] {
  const isBegun = steps.some(({ status }) => status === "done");
  return steps.map((step) => {
    const { word, state } = endOf(step);
    const stateInNode = isBegun && state === "skipped" ? "warning" : state;
    return { check: step.title, subject: step.title, state: stateInNode, sentence: "", evidence: word, next: undefined };
  });
}

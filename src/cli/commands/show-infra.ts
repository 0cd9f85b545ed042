/** `show infra`: the state and drift of every resource of create infra. */
import type { PlannedStep } from "../../engine/plan.js";
import type { Change } from "../../engine/step.js";
import type { RenderAdvice } from "../../errors/advice.js";
import { failureJson } from "../../errors/format.js";
import { printDocument } from "../../render/document.js";
import { table } from "../../render/table.js";
import { infraGraph } from "../../steps/infra.js";
import { requireExistingInSubscription } from "../../settings/existing-subscription.js";
import type { Resolved, ShowInfraSettings } from "../../settings/settings.js";
import { readInfraIdentities } from "../../files/infra-identities.js";
import { readInfraOutput } from "../../files/infra-output.js";
import { requireSameCluster } from "../inputs/same-cluster.js";
import { namesIdentityFile, readIdentities, type Identities } from "../inputs/identities.js";
import { recall, withFileRecord } from "../inputs/recorded-options.js";
import { subscriptionInFile } from "../inputs/subscription.js";
import { requireFound, requiredCluster, requiredValue } from "../inputs/infra-to-verify.js";
import { infraSpec } from "../inputs/infra-spec.js";
import { keptDifferences } from "../../steps/kept-differences.js";
import { planGraph } from "../run/plan-graph.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../process-port.js";

const command = "show infra";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { infraJson } = resolved.settings;
  const document = infraJson === undefined ? undefined : await readInfraOutput(infraJson);
  if (document) requireSameCluster(resolved.settings, resolved.origins, document);
  const recorded = withFileRecord(resolved, document?.options, infraJson);
  const { settings: given, notices } = recorded;
  const { concurrency, output } = given;
  const { name, infraId } = requiredCluster(given, document);
  const identities = await identitiesOf(given);
  const documentSubscription = subscriptionInFile(document?.subscriptionID, infraJson);
  return withConnection({ ...given, command, documentSubscription }, notices, port, async (azure, context) => {
    const { subscriptionId } = azure.connection;
    const { resolved: merged, exists } = await recall(azure, recorded, { name, infraId }, document?.options, context.say);
    requireExistingInSubscription(merged, subscriptionId);
    await requireFound(azure, { name, infraId }, { ...merged.settings, exists, document });
    const baseDomain = requiredValue(merged.settings.baseDomain ?? document?.baseDomain, "--base-domain");
    const location =
      merged.origins.location?.source === "default" ? (document?.region ?? merged.settings.location) : merged.settings.location;
    const { steps } = infraGraph(azure, infraSpec({ ...merged.settings, name, infraId, baseDomain, location }, subscriptionId, identities));
    const plan = await planGraph(steps, concurrency, context);
    if (plan.failures.length > 0) throw new AggregateError(plan.failures.map(({ failure }) => failure));
    if (output === "json") {
      printDocument(context.result, { ok: true, command, infraId, resources: documentRows(plan.steps, context.renderAdvice) });
    } else {
      const rows = plan.steps.map((planned) => ({ title: planned.step.title, ...stateOf(planned) }));
      context.result.print(
        table(
          context.result,
          ["RESOURCE", "STATE", "DRIFT"],
          rows.map(({ title, state, drift }) => [title, state, drift]),
        ),
      );
    }
    return 0;
  });
}

/** From the identity files, or otherwise from the output file, which contains the identities with roles. */
async function identitiesOf(settings: ShowInfraSettings): Promise<Identities> {
  const { infraJson } = settings;
  if (infraJson === undefined || namesIdentityFile(settings)) return readIdentities(settings);
  return readInfraIdentities(infraJson);
}

function stateOf(planned: PlannedStep): { state: string; drift: string } {
  const { decision, live } = planned;
  switch (decision.act) {
    case "create":
      return { state: "absent", drift: "" };
    case "keep":
      return { state: "exists", drift: pathsOf(driftOf(planned)) || "none" };
    case "adopt":
      return { state: "exists, bring-your-own", drift: "none" };
    case "wait":
      return { state: "in flight", drift: decision.why };
    case "update":
    case "remove":
      return { state: "exists", drift: pathsOf(driftOf(planned)) };
    case "refuse":
      return { state: live === undefined ? "absent" : "exists", drift: decision.failure.message };
  }
}

/** What the next create changes, and what it keeps although it differs. */
function driftOf(planned: PlannedStep): readonly Change[] {
  const { decision } = planned;
  return [...("changes" in decision ? decision.changes : []), ...keptDifferences(planned)];
}

function pathsOf(changes: readonly Change[]): string {
  return changes.map(({ path }) => path).join(", ");
}

function documentRows(steps: readonly PlannedStep[], renderAdvice: RenderAdvice) {
  return steps.map((planned) => {
    const { step, decision } = planned;
    const drift = driftOf(planned);
    return {
      step: step.id,
      title: step.title,
      resourceId: step.resourceId,
      ...stateOf(planned),
      ...(drift.length > 0 && { changes: drift }),
      ...(decision.act === "refuse" && { failure: failureJson(decision.failure, renderAdvice) }),
    };
  });
}

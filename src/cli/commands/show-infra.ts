/** `show infra`: the state and drift of every resource that create infra would make. */
import type { PlannedStep } from "../../engine/plan.js";
import { failureJson } from "../../errors/format.js";
import { planInfra } from "../plan-infra.js";
import { table } from "../../render/table.js";
import { infraGraph } from "../../steps/infra.js";
import { requireSubscription } from "../../settings/brought-subscription.js";
import { connect } from "../connect.js";
import { readIdentities } from "../identities.js";
import { infraSpec } from "../infra-spec.js";
import { settingsOf, type Flags } from "../settings.js";
import { openStage } from "../stage.js";

export async function run(flags: Flags, environment: NodeJS.ProcessEnv): Promise<number> {
  const resolved = await settingsOf("show infra", flags, environment);
  const { settings, notices } = resolved;
  const identities = await readIdentities(settings);
  const stage = openStage(settings, environment);
  try {
    for (const notice of notices) stage.say(`notice: ${notice}`);
    const session = await connect(settings, environment, stage);
    try {
      const { subscriptionId } = session.azure.connection;
      requireSubscription(resolved, subscriptionId);
      const spec = infraSpec(settings, subscriptionId, identities);
      const plan = await planInfra(infraGraph(session.azure, spec).steps, settings.concurrency, stage);
      if (plan.failures.length > 0) throw new AggregateError(plan.failures.map(({ failure }) => failure));
      const rows = plan.steps.map((planned) => ({ title: planned.step.title, ...stateOf(planned), id: planned.step.resourceId ?? "" }));
      if (settings.output === "json") {
        stage.result.print(
          JSON.stringify(
            { schemaVersion: 1, ok: true, command: "show infra", infraId: settings.infraId, resources: documentRows(plan.steps) },
            undefined,
            2,
          ),
        );
      } else {
        stage.result.print(
          table(
            stage.result,
            ["RESOURCE", "STATE", "DRIFT"],
            rows.map(({ title, state, drift }) => [title, state, drift]),
          ),
        );
      }
      return 0;
    } finally {
      await session.close();
    }
  } finally {
    stage.close();
  }
}

function stateOf({ decision, live }: PlannedStep): { state: string; drift: string } {
  switch (decision.act) {
    case "create":
      return { state: "absent", drift: "" };
    case "keep":
      return { state: "exists", drift: "none" };
    case "adopt":
      return { state: "exists, brought", drift: "none" };
    case "wait":
      return { state: "in flight", drift: decision.why };
    case "update":
      return { state: "exists", drift: decision.changes.map(({ path }) => path).join(", ") };
    case "refuse":
      return { state: live === undefined ? "absent" : "exists", drift: decision.failure.message };
  }
}

function documentRows(steps: readonly PlannedStep[]) {
  return steps.map((planned) => {
    const { step, decision } = planned;
    return {
      step: step.id,
      title: step.title,
      resourceId: step.resourceId,
      ...stateOf(planned),
      ...(decision.act === "update" && { changes: decision.changes }),
      ...(decision.act === "refuse" && { failure: failureJson(decision.failure) }),
    };
  });
}

/** `create infra`: read and check everything, show the plan, make what is missing, keep the output file current. */
import { signedIn } from "../../azure/signed-in.js";
import { runPlan } from "../../engine/run.js";
import { Failure } from "../../errors/failure.js";
import type { InfraOutput } from "../../files/infra-output.js";
import { checkWritable } from "../../files/write.js";
import { planRows, planText } from "../../render/plan-text.js";
import { askYesNo, canAsk } from "../../render/prompt.js";
import type { Plan } from "../../engine/plan.js";
import { infraGraph } from "../../steps/infra.js";
import { requireSubscription } from "../../settings/brought-subscription.js";
import { connect } from "../connect.js";
import { finish } from "../finish.js";
import { readIdentities } from "../identities.js";
import { infraDocument } from "../infra-document.js";
import { infraSpec } from "../infra-spec.js";
import { planInfra, runOptions, throwIfRefused } from "../plan-infra.js";
import { settingsOf, type Flags } from "../settings.js";
import { openStage, type Stage } from "../stage.js";

export async function run(flags: Flags, environment: NodeJS.ProcessEnv): Promise<number> {
  const command = "create infra";
  const resolved = await settingsOf(command, flags, environment);
  const { settings, notices } = resolved;
  const identities = await readIdentities(settings);
  if (settings.outputFile !== undefined) await checkWritable(settings.outputFile);
  const stage = openStage(settings, environment);
  try {
    for (const notice of [...notices, ...identities.seen]) stage.say(`notice: ${notice}`);
    const session = await connect(settings, environment, stage);
    try {
      const { azure } = session;
      const { subscriptionId, cloud } = azure.connection;
      requireSubscription(resolved, subscriptionId);
      const spec = infraSpec(settings, subscriptionId, identities);
      const { steps, documented } = infraGraph(azure, spec);

      const plan = await planInfra(steps, settings.concurrency, stage);
      stage.pauseProgress();
      stage.say(planText(stage.people, planRows(plan)));
      throwIfRefused(plan);
      if (settings.dryRun) {
        if (settings.output === "json") stage.result.print(JSON.stringify(planDocument(settings.infraId, plan), undefined, 2));
        return 0;
      }
      if (plan.changes > 0 && !settings.yes && canAsk({ input: process.stdin, output: stage.people.stream })) {
        await askFirst(stage);
        // Time passed at the prompt: what was agreed to must still be what would be done.
        const again = await planInfra(steps, settings.concurrency, stage);
        throwIfRefused(again);
        if (actsOf(again) !== actsOf(plan)) throw new Failure("ARO-RUN-007", "Azure changed while the question was open");
      }

      const known = {
        cloud: cloud.name,
        subscriptionId,
        // Whoever signs in through the SDK's chain need not name the tenant; HyperShift needs it all the same.
        tenantId: azure.connection.tenantId || (await signedIn(azure.connection)).tenantId,
        infraId: settings.infraId,
        baseDomain: settings.baseDomain,
        location: settings.location,
        ...identities,
      };
      const document = infraDocument(known, documented, settings.outputFile);
      const result = await runPlan(plan, {
        ...runOptions(azure, stage, { ...settings, command }),
        onDone: (step, output) => document.add(step, output),
      });
      const code = finish(stage, { ...settings, command, result, document: { infra: document.current() } });
      if (settings.output === "text" && result.ok) stage.result.print(idLines(document.current()));
      return code;
    } finally {
      await session.close();
    }
  } finally {
    stage.close();
  }
}

async function askFirst({ people, signal }: Stage): Promise<void> {
  const agreed = await askYesNo("Make these changes?", { input: process.stdin, output: people.stream, signal });
  if (!agreed) throw new Failure("ARO-RUN-002", "declined: nothing was changed");
}

function actsOf({ steps }: Plan): string {
  return steps.map(({ step, decision }) => `${step.id} ${decision.act}`).join("\n");
}

function planDocument(infraId: string, plan: Plan) {
  return {
    schemaVersion: 1,
    ok: true,
    command: "create infra",
    infraId,
    dryRun: true,
    changes: plan.changes,
    steps: plan.steps.map(({ step, decision }) => ({
      id: step.id,
      title: step.title,
      resourceId: step.resourceId,
      needs: step.needs,
      ...decision,
    })),
  };
}

/** The ids that people copy from. */
function idLines(document: InfraOutput): string {
  const keys = ["resourceGroupName", "publicZoneID", "privateZoneID", "vnetID", "subnetID", "securityGroupID"] as const;
  return keys.map((key) => `${key.padEnd(18)} ${document[key]}`).join("\n");
}

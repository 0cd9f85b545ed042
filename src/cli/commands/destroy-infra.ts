/** `destroy infra`: find what is this cluster's, show what goes and what stays, ask, remove, and look again. */
import type { Azure } from "../../azure/azure.js";
import { removeAll } from "../../engine/remove.js";
import type { RunResult } from "../../engine/run-result.js";
import { Failure } from "../../errors/failure.js";
import { clusterNameIn, readInfraOutput, type InfraInput } from "../../files/infra-output.js";
import type { ClusterKey } from "../../infra/names.js";
import { parseResourceId } from "../../infra/resource-id.js";
import { takeInventory, type Inventory, type Search } from "../../removal/inventory.js";
import { foreignContents, goingAlong, idsToRemove, removalsOf, stayingBehind, type RemovalWishes } from "../../removal/removals.js";
import { planText, type PlanRow } from "../../render/plan-text.js";
import { askToType, canAsk } from "../../render/prompt.js";
import type { DestroyInfraSettings } from "../../settings/settings.js";
import { connect } from "../connect.js";
import { finish } from "../finish.js";
import { runOptions } from "../plan-infra.js";
import { settingsOf, type Flags } from "../settings.js";
import { openStage, orStopped, type Stage } from "../stage.js";

export async function run(flags: Flags, environment: NodeJS.ProcessEnv): Promise<number> {
  const command = "destroy infra";
  const { settings, notices } = await settingsOf(command, flags, environment);
  const document = settings.infraJson === undefined ? undefined : await readInfraOutput(settings.infraJson);
  const cluster = clusterOf(settings, document);
  const stage = openStage(settings, environment);
  try {
    for (const notice of notices) stage.say(`notice: ${notice}`);
    if (!settings.dryRun && !settings.yes && !canAsk({ input: process.stdin, output: stage.people.stream })) {
      throw new Failure("ARO-RUN-003", `destroying ${cluster.infraId} needs to be confirmed, and there is no terminal to ask on`);
    }
    const session = await connect({ ...settings, subscription: settings.subscription ?? document?.subscriptionID }, environment, stage);
    try {
      const { azure } = session;
      const search = searchOf(settings, cluster, document);
      const inventory = await orStopped(stage, takeInventory(azure, search));
      const wishes = { preserveGroups: settings.preserveResourceGroup, deleteForeign: settings.deleteForeign };
      const removals = removalsOf(azure, inventory, wishes);
      stage.pauseProgress();
      const along = goingAlong(inventory, wishes);
      const kept = stayingBehind(inventory, wishes);
      stage.say(planText(stage.people, rowsOf(removals, along, kept)));
      refuseForeign(inventory, wishes);
      if (settings.dryRun) {
        if (settings.output === "json") {
          const removed = removals.map(({ id, title, resourceId, after }) => ({ id, title, resourceId, after }));
          const removedAlong = along.map(({ id, title, group, origin }) => ({ id, title, group, origin }));
          stage.result.print(
            JSON.stringify(
              { schemaVersion: 1, ok: true, command, infraId: cluster.infraId, dryRun: true, removed, removedAlong, kept },
              undefined,
              2,
            ),
          );
        }
        return 0;
      }
      if (removals.length > 0 && !settings.yes) await confirm(cluster, stage);
      const result = await removeAll(removals, runOptions(azure, stage, { ...settings, ...cluster, command }));
      const left =
        result.steps.length === 0 || stage.signal.aborted ? [] : await orStopped(stage, leftovers(azure, search, wishes, result));
      return finish(stage, {
        command,
        infraId: cluster.infraId,
        result,
        output: settings.output,
        debug: settings.debug,
        document: { kept, leftovers: left },
        more: left.length === 0 ? [] : [leftBehind(left)],
      });
    } finally {
      await session.close();
    }
  } finally {
    stage.close();
  }
}

function clusterOf({ name, infraId }: DestroyInfraSettings, document: InfraInput | undefined): ClusterKey {
  const cluster = { name: name ?? (document && clusterNameIn(document)), infraId: infraId ?? document?.infraID };
  if (cluster.name === undefined || cluster.infraId === undefined) {
    throw new Failure("ARO-USAGE-001", "it is not said which cluster", {
      because: document ? "the file does not tell the cluster's name" : "neither --infra-json nor both of --name and --infra-id are given",
      next: [document ? "pass --name too" : "pass --name and --infra-id, or --infra-json"],
    });
  }
  return { name: cluster.name, infraId: cluster.infraId };
}

function searchOf({ resourceGroupName }: DestroyInfraSettings, cluster: ClusterKey, document: InfraInput | undefined): Search {
  const brought = [document?.vnetID, document?.securityGroupID, document?.publicZoneID].filter((id) => id !== undefined && id !== "");
  return {
    cluster,
    broughtGroup: resourceGroupName ?? document?.resourceGroupName,
    otherSubscriptions: brought.map((id) => parseResourceId(id ?? "").subscriptionId),
  };
}

function rowsOf(
  removals: readonly { readonly title: string }[],
  along: ReturnType<typeof goingAlong>,
  kept: ReturnType<typeof stayingBehind>,
): PlanRow[] {
  return [
    ...removals.map(({ title }) => ({ title, act: "remove" as const })),
    ...along.map(({ title, group, origin }) => ({
      title,
      act: "remove" as const,
      why: `goes along with resource group ${group}${origin === "foreign" ? ", though it is not this cluster's" : ""}`,
    })),
    ...kept.map(({ id, why }) => ({ title: id, act: "keep" as const, why })),
  ];
}

function refuseForeign(inventory: Inventory, wishes: RemovalWishes): void {
  const foreign = foreignContents(inventory, wishes);
  if (foreign.length === 0) return;
  throw new Failure("ARO-OWN-004", `${String(foreign.length)} resources in groups of this cluster are not its own`, {
    because: foreign.map(({ id }) => id).join(", "),
    next: [
      "move them elsewhere",
      "or keep the groups, and remove only what is the cluster's: --preserve-resource-group",
      "or delete them along with the groups: --delete-foreign",
    ],
  });
}

async function confirm({ infraId }: ClusterKey, { people, signal }: Stage): Promise<void> {
  const meant = await askToType(infraId, `Type ${infraId} to remove all this:`, { input: process.stdin, output: people.stream, signal });
  if (!meant) throw new Failure("ARO-RUN-002", "declined: nothing was changed");
}

/** Azure's lists go on showing for a while what is gone, so what seems left is looked for again before it is called so. */
async function leftovers(azure: Azure, search: Search, wishes: RemovalWishes, { ok }: RunResult): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const left = idsToRemove(await takeInventory(azure, search), wishes);
    // After a failure something is left for sure, and waiting would not change it.
    if (left.length === 0 || !ok || tries === 12) return left;
    await azure.connection.pace.sleep(5000);
  }
}

function leftBehind(left: readonly string[]): Failure {
  return new Failure("ARO-DELETE-003", `${String(left.length)} resources are left`, { because: left.join(", ") });
}

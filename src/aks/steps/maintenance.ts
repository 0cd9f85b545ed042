/** The maintenance windows of an AKS cluster: when AKS may update itself, Kubernetes and the images of the nodes. */
import type { MaintenanceConfiguration } from "@azure/arm-containerservice";
import { found } from "../../azure/long-running.js";
import { defineStep, type Step } from "../../engine/step.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { idBelow } from "../../steps/in-group.js";
import type { ClusterOutput } from "./cluster.js";
import type { AksContext } from "./context.js";

const row = resourceTypes.maintenanceConfiguration;

export function maintenanceWindows(context: AksContext, cluster: Step<ClusterOutput>): Step<unknown>[] {
  return maintenanceConfigurationNames.map((name) => maintenanceWindow(context, cluster, name));
}

/** Created once. Its owner may choose other hours afterwards, and those stay. */
function maintenanceWindow({ azure, names, group }: AksContext, cluster: Step<ClusterOutput>, name: string): Step<unknown> {
  return defineStep({
    id: `${row.use.step}-${name.toLowerCase()}`,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, names.cluster, name),
    needs: { group, cluster },
    within: "cluster",
    read: async ({ group: { name: groupName } }) =>
      found((await azure.clusters()).maintenanceConfigurations.get(groupName, names.cluster, name)),
    wanted: wantedMaintenance,
    decide(live) {
      if (live === undefined) return { act: "create" };
      if (live.maintenanceWindow !== undefined) return { act: "keep" };
      const to = "Saturdays 22:00 UTC for 10 hours";
      return { act: "update", why: "it has no window", changes: [{ path: "maintenanceWindow", from: undefined, to }] };
    },
    apply: async (live, { group: { name: groupName } }): Promise<MaintenanceConfiguration> =>
      (await azure.clusters()).maintenanceConfigurations.createOrUpdate(groupName, names.cluster, name, {
        ...live,
        ...wantedMaintenance(),
      }),
    output: ({ id }) => ({ id }),
  });
}

/** The names that AKS defines, each for one kind of updates. */
const maintenanceConfigurationNames = ["default", "aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"] as const;

/** Saturdays from 22:00 UTC, for ten hours, as in Azure/ARO-HCP. */
function wantedMaintenance(): MaintenanceConfiguration {
  return {
    maintenanceWindow: {
      schedule: { weekly: { intervalWeeks: 1, dayOfWeek: "Saturday" } },
      durationHours: 10,
      startTime: "22:00",
      utcOffset: "+00:00",
    },
  };
}

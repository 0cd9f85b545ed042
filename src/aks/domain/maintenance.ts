/** The maintenance windows of an AKS cluster: when AKS may update itself, the cluster and the images of the nodes. */
import type { MaintenanceConfiguration } from "@azure/arm-containerservice";

/** The names that AKS defines, each for one kind of updates. */
export const maintenanceConfigurationNames = ["default", "aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"] as const;

/** Saturdays from 22:00 UTC, for ten hours, as in Azure/ARO-HCP. */
export function wantedMaintenance(): MaintenanceConfiguration {
  return {
    maintenanceWindow: {
      schedule: { weekly: { intervalWeeks: 1, dayOfWeek: "Saturday" } },
      durationHours: 10,
      startTime: "22:00",
      utcOffset: "+00:00",
    },
  };
}

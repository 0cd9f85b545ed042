/** Checks that flags and infra document refer to the same cluster. */
import { Failure } from "../../errors/failure.js";
import type { InfraInput } from "../../files/infra-output.js";
import type { Origin, SettingKey } from "../../settings/settings.js";
import { sameText } from "../../text/same-text.js";

interface ClusterSettings {
  readonly name: string | undefined;
  readonly infraId: string | undefined;
  readonly subscription: string | undefined;
}

/** @throws ARO-USAGE-001 if they refer to different clusters: one of them is a mistake */
export function requireSameCluster(
  settings: ClusterSettings,
  origins: Readonly<Partial<Record<SettingKey, Origin>>>,
  document: Pick<InfraInput, "clusterName" | "infraID" | "subscriptionID">,
): void {
  const pairs = [
    ["name", document.clusterName],
    ["infraId", document.infraID],
    ["subscription", document.subscriptionID],
  ] as const;
  const problems = pairs.flatMap(([key, recorded]) => {
    const given = settings[key];
    if (given === undefined || recorded === undefined || sameText(given, recorded)) return [];
    return [{ origin: origins[key]?.label ?? key, message: `is "${given}", but the output file of create infra has "${recorded}"` }];
  });
  if (problems.length > 0) throw new Failure("ARO-USAGE-001", "the output file of create infra belongs to another cluster", { problems });
}

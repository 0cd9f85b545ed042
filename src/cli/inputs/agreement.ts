/** Flags and infra document must speak of one cluster. */
import { Failure } from "../../errors/failure.js";
import type { InfraInput } from "../../files/infra-output.js";
import type { Origin, SettingKey } from "../../settings/settings.js";

interface ClusterSettings {
  readonly name: string | undefined;
  readonly infraId: string | undefined;
  readonly subscription: string | undefined;
}

/** @throws ARO-USAGE-001 where they speak of different ones: one of them is not meant. */
export function requireAgreement(
  settings: ClusterSettings,
  origins: Readonly<Partial<Record<SettingKey, Origin>>>,
  document: Pick<InfraInput, "clusterName" | "infraID" | "subscriptionID">,
): void {
  const pairs = [
    ["name", document.clusterName],
    ["infraId", document.infraID],
    ["subscription", document.subscriptionID],
  ] as const;
  const problems = pairs.flatMap(([key, said]) => {
    const given = settings[key];
    if (given === undefined || said === undefined || given.toLowerCase() === said.toLowerCase()) return [];
    return [{ origin: origins[key]?.label ?? key, message: `is "${given}", but the file of --infra-json says "${said}"` }];
  });
  if (problems.length > 0) throw new Failure("ARO-USAGE-001", "the file of --infra-json is of another cluster", { problems });
}

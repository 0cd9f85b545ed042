/** Checks the IDs of existing resources once the subscription is known, which a credentials file may contain. */
import { Failure } from "../errors/failure.js";
import { parseResourceId } from "../domain/resource-id.js";
import { otherSubscription } from "./network-checks.js";
import type { Resolved, SettingKey } from "./settings.js";

type InfraCommand = "create infra" | "show infra" | "verify infra" | "graph infra" | "create all";

/** @throws ARO-USAGE-001 with each existing resource in another subscription: Azure attaches no resources across subscriptions */
export function requireExistingInSubscription({ settings, origins }: Resolved<InfraCommand>, subscriptionId: string): void {
  const { vnetId, subnetId, networkSecurityGroupId, natGatewayId, routeTableId, publicIpPrefixId } = settings;
  const ids = [
    ...Object.entries({ vnetId, subnetId, networkSecurityGroupId, natGatewayId, routeTableId }),
    ...publicIpPrefixId.map((id) => ["publicIpPrefixId", id] as const),
  ] as readonly (readonly [SettingKey, string | undefined])[];
  const problems = ids.flatMap(([key, id]) => {
    const wrong = id === undefined ? undefined : otherSubscription(parseResourceId(id), subscriptionId);
    return wrong === undefined ? [] : [{ origin: origins[key]?.label ?? key, message: `${wrong}, the subscription of the credentials` }];
  });
  if (problems.length > 0) throw new Failure("ARO-USAGE-001", "an existing resource is in another subscription", { problems });
}

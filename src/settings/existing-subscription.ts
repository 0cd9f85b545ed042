/** The check of brought ids that waits until the subscription is known: a credentials file may name it, which is read later. */
import { Failure } from "../errors/failure.js";
import { parseResourceId } from "../domain/resource-id.js";
import { otherSubscription } from "./checks/networks.js";
import type { Resolved } from "./settings.js";

type Wanted = "create infra" | "show infra" | "verify infra" | "graph" | "create all";

/** @throws ARO-USAGE-001 naming each brought resource of another subscription: Azure attaches nothing across subscriptions. */
export function requireSubscription({ settings, origins }: Resolved<Wanted>, subscriptionId: string): void {
  const problems = (["vnetId", "subnetId", "networkSecurityGroupId"] as const).flatMap((key) => {
    const id = settings[key];
    const wrong = id === undefined ? undefined : otherSubscription(parseResourceId(id), subscriptionId);
    return wrong === undefined ? [] : [{ origin: origins[key]?.label ?? key, message: `${wrong}, which the credentials are for` }];
  });
  if (problems.length > 0) throw new Failure("ARO-USAGE-001", "what is brought is in another subscription", { problems });
}

/** The principals in the directory, as far as role assignments need them. */
import { applicationsByPrincipal, resourcesByPrincipal } from "./indexes.js";
import type { ArmCall } from "./resource-type.js";

/** Whether the principal is visible: a new one only when the directory's replicas have caught up. */
export function knownPrincipal({ state, now, milliseconds }: ArmCall, principalId: string): boolean {
  const lag = milliseconds(state.knobs?.replicationLagSeconds ?? 0);
  const seen = (createdAt: number | undefined): boolean => now >= (createdAt ?? 0) + lag;
  const wanted = principalId.toLowerCase();
  return (
    applicationsByPrincipal
      .find(state.applications, wanted)
      .some(({ servicePrincipal, createdAt }) => seen(servicePrincipal?.createdAt ?? createdAt)) ||
    resourcesByPrincipal.find(state.resources, wanted).some((one) => seen(one.createdAt))
  );
}

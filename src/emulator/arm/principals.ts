/** The principals in the directory, as far as role assignments need them. */
import type { StoredResource } from "../state/state.js";
import type { ArmCall } from "./resource-type.js";

/** Of an identity, or of the identity that a resource got with its creation. */
function principalIn({ properties, beside }: StoredResource): string {
  const { principalId } = (beside?.["identity"] ?? {}) as { principalId?: unknown };
  return String(properties["principalId"] ?? principalId).toLowerCase();
}

/** Whether the principal is visible: a new one only when the directory's replicas have caught up. */
export function knownPrincipal({ state, now, milliseconds }: ArmCall, principalId: string): boolean {
  const lag = milliseconds(state.knobs?.replicationLagSeconds ?? 0);
  const seen = (createdAt: number | undefined): boolean => now >= (createdAt ?? 0) + lag;
  const wanted = principalId.toLowerCase();
  return (
    state.applications.some(
      ({ servicePrincipalId, servicePrincipal, createdAt }) =>
        servicePrincipalId?.toLowerCase() === wanted && seen(servicePrincipal?.createdAt ?? createdAt),
    ) || Object.values(state.resources).some((one) => principalIn(one) === wanted && seen(one.createdAt))
  );
}

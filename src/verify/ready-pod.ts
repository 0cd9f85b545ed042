/** Whether a pod of a cluster is ready. */
import type { V1Pod } from "@kubernetes/client-node";

export function isReadyPod({ status }: V1Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
}

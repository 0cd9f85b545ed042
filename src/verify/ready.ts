/** Whether a pod or a node of a cluster is ready. */
import type { V1Node, V1Pod } from "@kubernetes/client-node";

export function isReady({ status }: V1Pod | V1Node): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
}

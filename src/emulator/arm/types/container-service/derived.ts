/** The parts of names that AKS derives from a cluster or a pool. They look random, and are the same in every run. */
import { createHash } from "node:crypto";
import { keyOf } from "../../resource-id.js";

/** In the names of scale sets, networks and security groups. `id` is the cluster's, or a pool's. */
export function eightDigits(id: string): string {
  return String(Number.parseInt(hexOf(id, 8), 16) % 100_000_000).padStart(8, "0");
}

/** In the hostname of the API server, and as the UID of the cluster. */
export function hexOf(id: string, length: number): string {
  return createHash("sha256").update(keyOf(id)).digest("hex").slice(0, length);
}

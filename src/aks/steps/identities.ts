/** The managed identities of an AKS cluster and of its nodes, created or existing. */
import type { Step } from "../../engine/step.js";
import { existingManagedIdentity, managedIdentity, type RateLimit, type ManagedIdentityOutput } from "../../steps/managed-identity.js";
import type { AksContext } from "./context.js";

export function clusterIdentity(context: AksContext, rateLimit: RateLimit): Step<ManagedIdentityOutput> {
  const { names, spec } = context;
  const existingId = spec.existing.clusterIdentityId;
  return identity(context, { purpose: "cluster", name: names.clusterIdentity, existingId, flag: "--cluster-identity-id" }, rateLimit);
}

export function kubeletIdentity(context: AksContext, rateLimit: RateLimit): Step<ManagedIdentityOutput> {
  const { names, spec } = context;
  const existingId = spec.existing.kubeletIdentityId;
  return identity(context, { purpose: "kubelet", name: names.kubeletIdentity, existingId, flag: "--kubelet-identity-id" }, rateLimit);
}

interface IdentityUse {
  readonly purpose: "cluster" | "kubelet";
  readonly name: string;
  readonly existingId: string | undefined;
  readonly flag: `--${string}`;
}

function identity(
  { azure, spec, group }: AksContext,
  { purpose, name, existingId, flag }: IdentityUse,
  rateLimit: RateLimit,
): Step<ManagedIdentityOutput> {
  if (existingId !== undefined) return existingManagedIdentity(azure, { id: existingId, purpose, flag });
  const { cluster: owner, location } = spec;
  return managedIdentity(azure, { name, owner, location, purpose }, group, rateLimit);
}

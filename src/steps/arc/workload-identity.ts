/** The managed identity with which pods of a connected cluster read the vault. */
import type { Azure } from "../../azure/azure.js";
import { arcIdentityName, type ArcSecretsSpec } from "../../domain/arc/secrets.js";
import type { Step } from "../../engine/step.js";
import { managedIdentity, type ManagedIdentityOutput } from "../managed-identity.js";
import type { GroupOutput } from "../resource-groups.js";

export function workloadIdentity(
  azure: Azure,
  { name: cluster, location }: ArcSecretsSpec,
  group: Step<GroupOutput>,
): Step<ManagedIdentityOutput> {
  return managedIdentity(azure, { name: arcIdentityName({ name: cluster }), owner: { arc: cluster }, location }, group);
}

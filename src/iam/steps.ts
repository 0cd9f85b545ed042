/** The workload identities of one cluster as a graph of steps: what `create iam` creates. */
import type { Azure } from "../azure/azure.js";
import type { Step } from "../engine/step.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import type { IamSpec } from "./spec.js";
import { openShiftAudience as audience } from "../domain/service-account-tokens.js";
import { workloadCredentials, workloadIdentityName } from "../domain/workload-names.js";
import { federatedCredentials } from "../steps/federated-credentials.js";
import { identityWrites, managedIdentity, type ManagedIdentityOutput } from "../steps/managed-identity.js";
import { ownGroup } from "../steps/resource-groups.js";

export interface WorkloadIdentityStep {
  readonly component: ControlPlaneComponent;
  readonly step: Step<ManagedIdentityOutput>;
}

export interface IamGraph {
  readonly steps: readonly Step<unknown>[];
  readonly identities: readonly WorkloadIdentityStep[];
}

export function iamGraph(azure: Azure, { cluster, subscriptionId, groupName, location, components, issuerUrl }: IamSpec): IamGraph {
  const owner = { iam: cluster };
  const group = ownGroup(azure, { subscriptionId, location, owner, tags: {} }, "iam-group", groupName);
  const rateLimit = identityWrites(azure);
  const identities = components.map((component) => {
    const identityName = workloadIdentityName(cluster, component);
    const purpose = component.key;
    const step = managedIdentity(azure, { name: identityName, owner, location, purpose }, group, rateLimit);
    const subjects = workloadCredentials(cluster, component);
    const federation = federatedCredentials(azure, { identityName, issuerUrl, subjects, audience, purpose }, group, step, rateLimit);
    return { component, step, steps: [step, federation] };
  });
  return { steps: [group, ...identities.flatMap(({ steps }) => steps)], identities };
}

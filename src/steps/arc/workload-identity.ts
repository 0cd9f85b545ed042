/** The managed identity with which pods of a connected cluster read the vault, and the federated identity credential that trusts their tokens. */
import type { FederatedIdentityCredential } from "@azure/arm-msi";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import {
  arcIdentityName,
  serviceAccountSubject,
  workloadAudience,
  type ArcSecretsAccess,
  type ArcSecretsSpec,
} from "../../domain/arc/secrets.js";
import { federatedCredentialName } from "../../domain/identity-names.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { defineStep, type Step } from "../../engine/step.js";
import { idBelow } from "../in-group.js";
import { managedIdentity, type ManagedIdentityOutput } from "../managed-identity.js";
import type { GroupOutput } from "../resource-groups.js";

const { federatedIdentityCredential: federated } = resourceTypes;

export function workloadIdentity(
  azure: Azure,
  { name: cluster, location }: ArcSecretsSpec,
  group: Step<GroupOutput>,
): Step<ManagedIdentityOutput> {
  return managedIdentity(azure, { name: arcIdentityName({ name: cluster }), owner: { arc: cluster }, location }, group);
}

/** One subject: the service account of the workload. */
export function workloadFederation(
  azure: Azure,
  { name: cluster }: ArcSecretsSpec,
  access: Extract<ArcSecretsAccess, { kind: "workload-identity" }>,
  group: Step<GroupOutput>,
  identity: Step<ManagedIdentityOutput>,
): Step<unknown> {
  const identityName = arcIdentityName({ name: cluster });
  const name = federatedCredentialName(identityName);
  const wanted = { issuer: access.issuerUrl, subject: serviceAccountSubject(access), audiences: [workloadAudience] };
  return defineStep({
    id: federated.use.step,
    title: `${federated.label} of ${identityName}`,
    subject: { kind: "resource", type: federated.type },
    resourceId: idBelow(group, federated.type, identityName, name),
    needs: { group, identity },
    within: "identity",
    read: async ({ group: { name: groupName } }) =>
      found((await azure.identities()).federatedIdentityCredentials.get(groupName, identityName, name)),
    wanted: () => wanted,
    decide(live) {
      if (live === undefined) return { act: "create" };
      const { issuer, subject, audiences = [] } = live;
      const changes = [
        // Entra compares all three exactly.
        { path: "issuer", from: issuer, to: wanted.issuer },
        { path: "subject", from: subject, to: wanted.subject },
        { path: "audiences", from: audiences.join(), to: workloadAudience },
      ].filter(({ from, to }) => from !== to);
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it trusts other tokens", changes };
    },
    async apply(_live, { group: { name: groupName } }): Promise<FederatedIdentityCredential> {
      const { federatedIdentityCredentials } = await azure.identities();
      return federatedIdentityCredentials.createOrUpdate(groupName, identityName, name, wanted);
    },
    output: ({ id }) => ({ id }),
  });
}

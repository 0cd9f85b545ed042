/** The managed identity with which pods of a connected cluster read the vault, and the federated identity credential that trusts their tokens. */
import type { FederatedIdentityCredential, Identity } from "@azure/arm-msi";
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
import { ownershipTags } from "../../domain/ownership.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { defineStep, type Step } from "../../engine/step.js";
import { idBelow } from "../in-group.js";
import { decideOwned } from "../ownership-decision.js";
import type { GroupOutput } from "../resource-groups.js";

const { managedIdentity: row, federatedIdentityCredential: federated } = resourceTypes;

/** The identity that gets the role. */
export interface SecretsPrincipal {
  readonly clientId: string;
  /** Object ID of its service principal. */
  readonly objectId: string;
}

export function workloadIdentity(
  azure: Azure,
  { name: cluster, location }: ArcSecretsSpec,
  group: Step<GroupOutput>,
): Step<SecretsPrincipal> {
  const name = arcIdentityName({ name: cluster });
  const owner = { arc: cluster };
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, name),
    needs: { group },
    within: "group",
    read: async ({ group: { name: groupName } }) => found((await azure.identities()).userAssignedIdentities.get(groupName, name)),
    decide: (live) => decideOwned(live, { row, name, owner, location, otherName: "--name" }, () => []),
    async apply(_live, { group: { name: groupName } }): Promise<Identity> {
      const { userAssignedIdentities } = await azure.identities();
      return userAssignedIdentities.createOrUpdate(groupName, name, { location, tags: ownershipTags(owner) });
    },
    output: ({ clientId = "", principalId = "" }) => ({ clientId, objectId: principalId }),
  });
}

/** One subject: the service account of the workload. */
export function workloadFederation(
  azure: Azure,
  { name: cluster }: ArcSecretsSpec,
  access: Extract<ArcSecretsAccess, { kind: "workload-identity" }>,
  group: Step<GroupOutput>,
  identity: Step<SecretsPrincipal>,
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

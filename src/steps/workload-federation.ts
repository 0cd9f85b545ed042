/** The federated identity credential with which pods of a cluster sign in as a managed identity: it trusts the tokens of one service account. */
import type { FederatedIdentityCredential } from "@azure/arm-msi";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { serviceAccountSubject, workloadAudience } from "../domain/arc/secrets.js";
import { resourceTypes } from "../domain/resource-types.js";
import { defineStep, type Step } from "../engine/step.js";
import { idBelow } from "./in-group.js";
import type { ManagedIdentityOutput } from "./managed-identity.js";
import type { GroupOutput } from "./resource-groups.js";

const row = resourceTypes.federatedIdentityCredential;

export interface WorkloadFederation {
  readonly identityName: string;
  /** Of the credential. */
  readonly name: string;
  readonly issuerUrl: string;
  readonly namespace: string;
  readonly serviceAccount: string;
}

/** One subject: the service account of the workload. */
export function workloadFederation(
  azure: Azure,
  { identityName, name, issuerUrl, ...account }: WorkloadFederation,
  group: Step<GroupOutput>,
  identity: Step<ManagedIdentityOutput>,
): Step<unknown> {
  const wanted = { issuer: issuerUrl, subject: serviceAccountSubject(account), audiences: [workloadAudience] };
  return defineStep({
    id: row.use.step,
    title: `${row.label} of ${identityName}`,
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, identityName, name),
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

/** The managed identities of the data plane, and the federated identity credentials with which the guest cluster's pods sign in as them. */
import type { FederatedIdentityCredential } from "@azure/arm-msi";
import type { Azure } from "../azure/azure.js";
import { all } from "../azure/pages.js";
import { defineStep, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import type { DataPlaneComponent } from "../domain/components.js";
import { federatedCredentialName, furtherFederatedCredentialName, managedIdentityName } from "../domain/identity-names.js";
import type { IdentitySpec } from "../domain/identity-spec.js";
import { pluralOf, quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { managedIdentity, type InTurn, type ManagedIdentityOutput } from "./managed-identity.js";
import { refuse } from "./ownership-decision.js";
import type { GroupOutput } from "./resource-groups.js";

const { managedIdentity: row, federatedIdentityCredential: federated } = resourceTypes;

/** The only audience of OpenShift's tokens for Azure. */
const audience = "openshift";
/** https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations */
const mostCredentials = 20;

export function dataPlaneIdentity(
  azure: Azure,
  { key, location }: IdentitySpec,
  component: DataPlaneComponent,
  group: Step<GroupOutput>,
  inTurn: InTurn,
): Step<ManagedIdentityOutput> {
  const spec = { name: managedIdentityName(key, component), owner: { identitySet: key.name }, location, purpose: component.key };
  return managedIdentity(azure, spec, group, inTurn);
}

/** Trusts the tokens of one issuer for one subject. Credentials of other issuers stay, because the identity may serve other clusters. */
export function federatedCredential(
  azure: Azure,
  { key, issuerUrl }: IdentitySpec,
  component: DataPlaneComponent,
  group: Step<GroupOutput>,
  identity: Step<ManagedIdentityOutput>,
  inTurn: InTurn,
): Step<unknown> {
  const { subject } = component;
  const identityName = managedIdentityName(key, component);
  const trusts = ({ issuer, subject: liveSubject, audiences }: FederatedIdentityCredential) =>
    // Entra compares issuer and subject exactly.
    issuer === issuerUrl && liveSubject === subject && audiences?.length === 1 && audiences[0] === audience;
  return defineStep({
    id: `${federated.use.step}-${component.key}`.toLowerCase(),
    title: `${federated.label} of ${identityName}`,
    subject: { kind: "resource", type: federated.type },
    needs: { group, identity },
    within: "identity",
    async read({ group: { name: groupName } }): Promise<FederatedIdentityCredential[]> {
      const { federatedIdentityCredentials } = await azure.identities();
      return all(federatedIdentityCredentials.list(groupName, identityName));
    },
    decide(live = []) {
      if (live.some(trusts)) return { act: "keep" };
      const sameTokens = live.find((other) => other.issuer === issuerUrl && other.subject === subject);
      if (sameTokens) {
        return {
          act: "update",
          why: "it trusts a different audience",
          changes: [
            { path: `federatedIdentityCredentials[${sameTokens.name ?? ""}].audiences`, from: sameTokens.audiences, to: [audience] },
          ],
        };
      }
      if (live.length >= mostCredentials) {
        return refuse("ARO-SUB-002", `${quotedTitleOf(row, identityName)} has ${String(live.length)} ${pluralOf(federated)} already`, {
          because: `Azure allows ${String(mostCredentials)}`,
          next: ["delete those of issuers that no longer exist, or create another identity set with a different --name"],
        });
      }
      return { act: "create", why: "it does not trust this issuer" };
    },
    async apply(live = [], { group: { name: groupName } }): Promise<FederatedIdentityCredential[]> {
      const { federatedIdentityCredentials } = await azure.identities();
      const name = nameFor(live, identityName, issuerUrl, subject);
      const wanted = { issuer: issuerUrl, subject, audiences: [audience] };
      const created = await inTurn(() => federatedIdentityCredentials.createOrUpdate(groupName, identityName, name, wanted));
      return [...live.filter((other) => other.name !== name), created];
    },
    output(live) {
      const trusted = live.find(trusts);
      if (!trusted) throw new Failure("ARO-BUG-001", `the ${federated.label} of ${identityName} differs from what was written`);
      return trusted.id;
    },
  });
}

function nameFor(live: readonly FederatedIdentityCredential[], identityName: string, issuerUrl: string, subject: string): string {
  const first = federatedCredentialName(identityName);
  const sameTokens = live.find((other) => other.issuer === issuerUrl && other.subject === subject);
  if (sameTokens?.name !== undefined) return sameTokens.name;
  return live.some((other) => other.name === first) ? furtherFederatedCredentialName(identityName, issuerUrl) : first;
}

/** The managed identities of the data plane, and the federated identity credentials with which the guest cluster's pods sign in as them. */
import type { Azure } from "../../azure/azure.js";
import type { Step } from "../../engine/step.js";
import type { DataPlaneComponent } from "../../domain/components.js";
import { federatedCredentialName, furtherFederatedCredentialName, managedIdentityName } from "../../domain/identity-names.js";
import type { IdentitySpec } from "../../domain/identity-spec.js";
import { openShiftAudience } from "../../domain/service-account-tokens.js";
import { federatedCredentials } from "../../steps/federated-credentials.js";
import { managedIdentity, type RateLimit, type ManagedIdentityOutput } from "../../steps/managed-identity.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

export function dataPlaneIdentity(
  azure: Azure,
  { key, location }: IdentitySpec,
  component: DataPlaneComponent,
  group: Step<GroupOutput>,
  rateLimit: RateLimit,
): Step<ManagedIdentityOutput> {
  const spec = { name: managedIdentityName(key, component), owner: { identitySet: key.name }, location, purpose: component.key };
  return managedIdentity(azure, spec, group, rateLimit);
}

/** Trusts the tokens of one issuer for one subject. Credentials of other issuers stay, because the identity may serve other clusters. */
export function federatedCredential(
  azure: Azure,
  { key, issuerUrl }: IdentitySpec,
  component: DataPlaneComponent,
  group: Step<GroupOutput>,
  identity: Step<ManagedIdentityOutput>,
  rateLimit: RateLimit,
): Step<unknown> {
  const identityName = managedIdentityName(key, component);
  const subject = {
    subject: component.subject,
    name: federatedCredentialName(identityName),
    nameBeside: furtherFederatedCredentialName(identityName, issuerUrl),
  };
  const federation = { identityName, issuerUrl, subjects: [subject], audience: openShiftAudience, purpose: component.key } as const;
  return federatedCredentials(azure, federation, group, identity, rateLimit);
}

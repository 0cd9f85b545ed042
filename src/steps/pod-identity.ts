/** The identity of a service account's pods: a managed identity, or an application with a client secret. */
import type { DeletedApplication } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { oncePerKey } from "../azure/concurrency.js";
import { serviceAccountSubject, workloadAudience, type ServiceAccount } from "../domain/service-account-tokens.js";
import type { Step } from "../engine/step.js";
import type { Holder } from "./role-on-resource.js";
import type { ApplicationProof } from "../azure/application-ownership.js";
import { ownApplication, servicePrincipal } from "./applications.js";
import { clientSecret, type CredentialStore } from "./client-secret.js";
import { federatedCredentials } from "./federated-credentials.js";
import { managedIdentity, type ManagedIdentityOutput, type ManagedIdentitySpec } from "./managed-identity.js";
import type { GroupOutput } from "./resource-groups.js";

export interface PodIdentity {
  readonly identity: Step<{ readonly clientId: string }>;
  readonly holder: Holder<unknown>;
  readonly secret?: Step<unknown>;
  /** All of them, needs first. */
  readonly steps: readonly Step<unknown>[];
}

/** The tokens that a managed identity trusts. */
export interface PodTokens extends ServiceAccount {
  readonly issuerUrl: string;
  readonly credentialName: string;
}

/** `tokens` is undefined while their issuer is not known: then it trusts none of this run. */
export function managedPodIdentity(
  azure: Azure,
  spec: ManagedIdentitySpec,
  group: Step<GroupOutput>,
  tokens: PodTokens | undefined,
): PodIdentity {
  const identity = managedIdentity(azure, spec, group);
  const federation = tokens && {
    identityName: spec.name,
    issuerUrl: tokens.issuerUrl,
    audience: workloadAudience,
    subjects: [{ subject: serviceAccountSubject(tokens), name: tokens.credentialName }],
  };
  const objectIdIn = (output: unknown) => (output as ManagedIdentityOutput).principalId;
  return {
    identity,
    holder: { name: identity.title, step: identity, objectIdIn },
    steps: [identity, ...(federation ? [federatedCredentials(azure, federation, group, identity)] : [])],
  };
}

export interface PodApplication {
  readonly uniqueName: string;
  readonly displayName: string;
  /** Names the owner. */
  readonly tag: string;
  /** Ends the ID of the step of the service principal. */
  readonly key: string;
}

/** `store` keeps the client secret between runs. `proof` is undefined for a command that changes nothing. */
export function podApplication(
  azure: Azure,
  { key, ...wanted }: PodApplication,
  store: CredentialStore,
  proof: ApplicationProof | undefined,
): PodIdentity {
  const deleted = oncePerKey<readonly DeletedApplication[]>();
  const deletedOnes = () => deleted.get("", async () => (await azure.directory()).deletedApplications([wanted.uniqueName]));
  const identity = ownApplication(azure, { id: "application", ...wanted }, deletedOnes, proof);
  const principal = servicePrincipal(azure, { key }, identity);
  const secret = clientSecret(azure, identity, store);
  return {
    identity,
    holder: { name: identity.title, step: principal, objectIdIn: String },
    secret,
    steps: [identity, principal, secret],
  };
}

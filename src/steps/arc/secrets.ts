/** What pods of a connected cluster need to mount secrets, as a graph: vault, secret, identity, and a role on that secret alone. */
import type { Azure } from "../../azure/azure.js";
import { oncePerKey } from "../../azure/concurrency.js";
import type { DeletedApplication } from "../../azure/applications.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { arcApplication, arcIdentityName, arcVaultTags, type ArcSecretsSpec } from "../../domain/arc/secrets.js";
import { federatedCredentialName } from "../../domain/identity-names.js";
import { secretsUser } from "../../domain/roles.js";
import type { Step } from "../../engine/step.js";
import { roleOf } from "../aks/roles.js";
import { ownApplication, servicePrincipal } from "../applications.js";
import { listedAssignments } from "../assignment-lists.js";
import { clientSecret, type CredentialStore } from "../client-secret.js";
import { keyVault, type VaultOutput } from "../key-vault.js";
import type { ManagedIdentityOutput } from "../managed-identity.js";
import { existingGroup, type GroupOutput } from "../resource-groups.js";
import { vaultAccess } from "../vault-access.js";
import { workloadFederation } from "../workload-federation.js";
import { vaultSecret } from "./vault-secret.js";
import { workloadIdentity } from "./workload-identity.js";

export interface ArcSecretsGraph {
  readonly steps: readonly Step<unknown>[];
  readonly vault: Step<VaultOutput>;
  /** Its output has the client ID of the identity. */
  readonly identity: Step<{ readonly clientId: string }>;
}

export function arcSecretsGraph(azure: Azure, spec: ArcSecretsSpec, caller: SignedIn, store: CredentialStore): ArcSecretsGraph {
  const { name, vaultName, tenantId, location, groupName } = spec;
  const group = existingGroup(azure, spec, "arc-group", groupName);
  const vaultSpec = {
    ...{ name: vaultName, owner: { arc: name }, tags: arcVaultTags(spec, vaultName), tenantId, location },
    nameFlag: "--key-vault-name",
  } as const;
  const vault = keyVault(azure, vaultSpec, group);
  const { access, grants } = vaultAccess(azure, vault, caller, undefined, "secrets");
  const secret = vaultSecret(azure, spec, { vault, access });
  const scope = { title: secret.title, step: secret, idIn: ({ id }: { readonly id: string }) => id };
  const context = { azure, assignments: listedAssignments(azure) };
  const { identity, steps, holder } = identityOf(azure, spec, group, store);
  const role = roleOf(context, { id: "role-secrets-user", role: secretsUser, holder, scope });
  return { steps: [group, vault, ...grants, access, secret, ...steps, role], vault, identity };
}

function identityOf(azure: Azure, spec: ArcSecretsSpec, group: Step<GroupOutput>, store: CredentialStore) {
  if (spec.access.kind === "workload-identity") {
    const identity = workloadIdentity(azure, spec, group);
    const identityName = arcIdentityName(spec);
    const name = federatedCredentialName(identityName);
    const federation = workloadFederation(azure, { ...spec.access, identityName, name }, group, identity);
    const held = identity as Step<unknown>;
    const objectIdIn = (output: unknown) => (output as ManagedIdentityOutput).principalId;
    return { identity, steps: [identity, federation], holder: { name: identity.title, step: held, objectIdIn } };
  }
  const wanted = arcApplication(spec);
  const deleted = oncePerKey<readonly DeletedApplication[]>();
  const deletedOnes = () => deleted.get("", async () => (await azure.directory()).deletedApplications([wanted.uniqueName]));
  const identity = ownApplication(azure, { id: "application", ...wanted }, deletedOnes);
  const principal = servicePrincipal(azure, { key: "secrets" }, identity);
  const password = clientSecret(azure, identity, store);
  const held = principal as Step<unknown>;
  return {
    identity,
    steps: [identity, principal, password],
    holder: { name: identity.title, step: held, objectIdIn: (id: unknown) => String(id) },
  };
}

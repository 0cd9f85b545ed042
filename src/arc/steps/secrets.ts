/** The vault, secret and identity with which pods of a connected cluster mount secrets, as a graph of steps. */
import type { Azure } from "../../azure/azure.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { arcApplication, arcIdentityName, arcVaultTags, type ArcSecretsSpec } from "../domain/secrets.js";
import { federatedCredentialName } from "../../domain/identity-names.js";
import { secretsUser } from "../../domain/roles.js";
import type { Step } from "../../engine/step.js";
import { roleOnResource } from "../../steps/role-on-resource.js";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import { listedAssignments } from "../../steps/assignment-lists.js";
import type { CredentialStore } from "../../steps/client-secret.js";
import { keyVault, type VaultOutput } from "../../steps/key-vault.js";
import { managedPodIdentity, podApplication, type PodApplication, type PodIdentity } from "../../steps/pod-identity.js";
import { existingGroup, type GroupOutput } from "../../steps/resource-groups.js";
import { vaultAccess } from "../../steps/vault-access.js";
import { vaultSecret } from "./vault-secret.js";

export interface ArcSecretsGraph {
  readonly steps: readonly Step<unknown>[];
  readonly vault: Step<VaultOutput>;
  /** Its output has the client ID of the identity. */
  readonly identity: Step<{ readonly clientId: string }>;
}

/** `files`: those that name applications of earlier runs. */
export function arcSecretsGraph(
  azure: Azure,
  spec: ArcSecretsSpec,
  caller: SignedIn,
  store: CredentialStore,
  { files, keepsRoles = true }: { readonly files?: EarlierFiles | undefined; readonly keepsRoles?: boolean } = {},
): ArcSecretsGraph {
  const { name, vaultName, tenantId, location, groupName } = spec;
  const group = existingGroup(azure, spec, "arc-group", groupName);
  const vaultSpec = {
    name: vaultName,
    owner: { arc: name },
    tags: arcVaultTags(spec, vaultName),
    tenantId,
    location,
    purgeProtection: "none",
    nameFlag: "--key-vault-name",
  } as const;
  const vault = keyVault(azure, vaultSpec, group);
  const { access, grants, takeBack } = vaultAccess(azure, vault, caller, { contents: "secrets", keepsRoles });
  const secret = vaultSecret(azure, spec, { vault, access });
  const scope = { title: secret.title, step: secret, idIn: ({ id }: { readonly id: string }) => id };
  const context = { azure, assignments: listedAssignments(azure) };
  const { identity, steps, holder } = identityOf(azure, spec, group, (application) =>
    podApplication(azure, application, store, { caller, files }),
  );
  const role = roleOnResource(context, { id: "role-secrets-user", role: secretsUser, holder, scope });
  return { steps: [group, vault, ...grants, access, secret, ...steps, role, ...takeBack([access, secret])], vault, identity };
}

function identityOf(
  azure: Azure,
  spec: ArcSecretsSpec,
  group: Step<GroupOutput>,
  asApplication: (application: PodApplication) => PodIdentity,
): PodIdentity {
  const { access, location, name: cluster } = spec;
  if (access.kind === "service-principal") return asApplication({ ...arcApplication(spec), key: "secrets" });
  const name = arcIdentityName(spec);
  return managedPodIdentity(azure, { name, owner: { arc: cluster }, location }, group, {
    ...access,
    credentialName: federatedCredentialName(name),
  });
}

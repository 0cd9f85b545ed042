/** The checks of what each identity can do: Entra, the issuer, roles, and a read of Azure with each token. */
import type { Azure } from "../../azure/azure.js";
import { assignedComponents, type ComponentKey } from "../../domain/components.js";
import type { CheckInstance } from "../../verify/check-instance.js";
import { azureRead } from "./azure-read.js";
import type { CredentialLink, DataPlaneLink, IdentityChain } from "./chain.js";
import { dataPlaneCheckInstances } from "./data-plane.js";
import { entraCheckInstances } from "./entra.js";
import { assigneeLookup } from "./assignees.js";
import { issuerCheckInstances } from "./issuer.js";
import { kmsCheckInstances } from "./kms.js";
import { roleCheckInstances, type RoleHolder } from "./roles.js";
import type { VaultLinks } from "./vault.js";
import type { DirectoryLookup } from "./directory-lookup.js";
import type { ListIdentities } from "./identity-ownership.js";

export interface IdentityLinks {
  readonly controlPlane: readonly CredentialLink[];
  readonly dataPlane: readonly DataPlaneLink[];
  /** The ownership checks of the managed identities in the file. */
  readonly ownIdentities: readonly CheckInstance[];
  readonly lookup: DirectoryLookup;
  readonly identities: ListIdentities;
}

/** Empty for a component without a role on the cluster's groups, such as KMS. */
function holder(key: ComponentKey, principal: RoleHolder["principal"], signIn: RoleHolder["signIn"]): RoleHolder[] {
  return assignedComponents.filter((component) => component.key === key).map((component) => ({ component, principal, signIn }));
}

export function accessCheckInstances(azure: Azure, chain: IdentityChain, vaults: VaultLinks, links: IdentityLinks): CheckInstance[] {
  const entra = entraCheckInstances(azure, chain, vaults, links.lookup, links.controlPlane);
  const issuer = issuerCheckInstances(azure, chain, vaults, links.ownIdentities);
  const federated = dataPlaneCheckInstances(azure, chain, vaults, {
    links: links.dataPlane,
    identities: links.identities,
    signingKey: issuer.signingKey,
  });
  const roleIdentities: RoleHolder[] = [
    ...entra.controlPlane.flatMap(({ link, principal, signIn }) => holder(link.component.key, principal, signIn)),
    ...federated.dataPlane.flatMap(({ link, identity, signIn }) => holder(link.component.key, identity, signIn)),
  ];
  const roles = roleCheckInstances(azure, chain, roleIdentities, assigneeLookup(azure, links.identities));
  // An identity without a role on the cluster's groups, such as that of KMS, has nothing to read there.
  const reads = roles.held.map(({ holder: { component, signIn }, role, assigned }) =>
    azureRead(component.key, { signIn, role }, assigned, chain.infra),
  );
  const kms = entra.controlPlane.find(({ link }) => link.component.vaultRole !== undefined);
  return [
    ...entra.instances,
    ...issuer.instances,
    ...federated.instances,
    ...roles.instances,
    ...reads,
    ...kmsCheckInstances(azure, chain, vaults, kms),
  ];
}

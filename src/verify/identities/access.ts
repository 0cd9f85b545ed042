/** From who an identity is to what it can do: Entra, the issuer, roles, and a read of Azure with each token. */
import type { Azure } from "../../azure/azure.js";
import { roleTable } from "../../domain/role-table.js";
import type { CheckInstance } from "../check-instance.js";
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
  /** Whose the managed identities of the file are. */
  readonly ownIdentities: readonly CheckInstance[];
  readonly who: DirectoryLookup;
  readonly identities: ListIdentities;
}

export function accessCheckInstances(azure: Azure, chain: IdentityChain, vaults: VaultLinks, links: IdentityLinks): CheckInstance[] {
  const entra = entraCheckInstances(azure, chain, vaults, links.who, links.controlPlane);
  const issuer = issuerCheckInstances(azure, chain, vaults, links.ownIdentities);
  const federated = dataPlaneCheckInstances(azure, chain, vaults, {
    links: links.dataPlane,
    identities: links.identities,
    signingKey: issuer.signingKey,
  });
  const rowOf = (field: string) => roleTable.filter((row) => row.field === field);
  const holders: RoleHolder[] = [
    ...entra.controlPlane.flatMap(({ link: { component }, principal, signIn }) =>
      rowOf(component.field).map((row) => ({ subject: component.name, row, principal, signIn })),
    ),
    ...federated.dataPlane.flatMap(({ link: { component, subject }, identity, signIn }) =>
      rowOf(component.field).map((row) => ({ subject, row, principal: identity, signIn })),
    ),
  ];
  const roles = roleCheckInstances(azure, chain, holders, assigneeLookup(azure, links.identities));
  // Who holds no role on the cluster's groups, as the identity of KMS, has nothing to read there.
  const reads = roles.held.map(({ holder: { subject, signIn }, role, assigned }) =>
    azureRead(subject, { signIn, role }, assigned, chain.infra),
  );
  const kms = entra.controlPlane.find(({ link }) => link.component.field === "kms");
  return [
    ...entra.instances,
    ...issuer.instances,
    ...federated.instances,
    ...roles.instances,
    ...reads,
    ...kmsCheckInstances(azure, chain, vaults, kms),
  ];
}

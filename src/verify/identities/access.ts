/** From who an identity is to what it can do: Entra, the issuer, roles, and a read of Azure with each token. */
import type { Azure } from "../../azure/azure.js";
import { roleTable } from "../../infra/role-table.js";
import type { Inspection } from "../inspection.js";
import { azureRead } from "./azure-read.js";
import type { CredentialLink, DataPlaneLink, IdentityChain } from "./chain.js";
import { dataPlaneInspections } from "./data-plane.js";
import { entraInspections } from "./entra.js";
import { holdersIn } from "./holders.js";
import { issuerInspections } from "./issuer.js";
import { kmsInspections } from "./kms.js";
import { roleInspections, type RoleHolder } from "./roles.js";
import type { VaultLinks } from "./vault.js";
import type { Who } from "./who.js";
import type { ListIdentities } from "./whose.js";

export interface IdentityLinks {
  readonly controlPlane: readonly CredentialLink[];
  readonly dataPlane: readonly DataPlaneLink[];
  /** Whose the managed identities of the file are. */
  readonly ownIdentities: readonly Inspection[];
  readonly who: Who;
  readonly identities: ListIdentities;
}

export function accessInspections(azure: Azure, chain: IdentityChain, vaults: VaultLinks, links: IdentityLinks): Inspection[] {
  const entra = entraInspections(azure, chain, vaults, links.who, links.controlPlane);
  const issuer = issuerInspections(azure, chain, vaults, links.ownIdentities);
  const federated = dataPlaneInspections(azure, chain, vaults, {
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
  const roles = roleInspections(azure, chain, holders, holdersIn(azure, links.identities));
  // Who holds no role on the cluster's groups, as the identity of KMS, has nothing to read there.
  const reads = roles.held.map(({ holder: { subject, signIn }, role, assigned }) =>
    azureRead(subject, { signIn, role }, assigned, chain.infra),
  );
  const kms = entra.controlPlane.find(({ link }) => link.component.field === "kms");
  return [
    ...entra.inspections,
    ...issuer.inspections,
    ...federated.inspections,
    ...roles.inspections,
    ...reads,
    ...kmsInspections(azure, chain, vaults, kms),
  ];
}

/** What the rows of identities read, each list once for all of them. */
import type { RoleDefinition } from "@azure/arm-authorization";
import type { Vault } from "@azure/arm-keyvault";
import type { Identity } from "@azure/arm-msi";
import type { DeletedSecret, SecretProperties } from "@azure/keyvault-secrets";
import type { Application } from "../../azure/applications.js";
import type { DenyAssignmentResponse } from "../../azure/arm-responses.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import type { Azure } from "../../azure/azure.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { listDenyAssignments } from "../../azure/deny-assignments.js";
import type { Principal } from "../../azure/directory.js";
import { all } from "../../azure/pages.js";
import type { AssignedComponent, ControlPlaneComponent, DataPlaneComponent } from "../../domain/components.js";
import { resourceGroupId, subscriptionScope } from "../../domain/resource-id.js";
import { listedAssignments, type AssignmentLists } from "../../steps/assignment-lists.js";
import { sameText } from "../../text/same-text.js";
import { notChecked, type Finding } from "../../verify/check.js";
import { given, rowsOf, type Subject } from "../../verify/row.js";
import { adviceFor, type SetAdvice } from "./advice.js";
import type { IdentityChain } from "./chain.js";
import { identityChecks, type IdentityCheckId } from "./checks.js";
import { vaultNameIn } from "./file-documents.js";

export interface IdentityReads {
  readonly azure: Azure;
  readonly chain: IdentityChain;
  /** All visible vaults. */
  readonly vaults: () => Promise<readonly Vault[]>;
  /** Advice about the identity set of the vault in the file. */
  readonly advice: () => Promise<SetAdvice>;
  readonly secrets: (vaultName: string) => Promise<readonly SecretProperties[]>;
  readonly deletedSecrets: (vaultName: string) => Promise<readonly DeletedSecret[]>;
  /** SHA-1 of the newest version, upper-case hex, by lower-case name; undefined if they cannot be read. */
  readonly certificates: (vaultName: string) => Promise<ReadonlyMap<string, string> | undefined>;
  /** `every`: the client IDs to request together. */
  readonly principals: (clientId: string, every: readonly string[]) => Promise<readonly Principal[]>;
  readonly application: (clientId: string, every: readonly string[]) => Promise<Application | undefined>;
  /** All visible managed identities. */
  readonly identities: () => Promise<readonly Identity[]>;
  readonly assignments: AssignmentLists;
  /** The IDs of all resource groups of a subscription, as Azure spells them. */
  readonly groupIds: (subscriptionId: string) => Promise<readonly string[]>;
  readonly builtInRoles: () => Promise<readonly RoleDefinition[]>;
  /** The deny assignments of the cluster's subscription. */
  readonly denials: () => Promise<readonly DenyAssignmentResponse[]>;
  /** The result of the first call with this key. */
  readonly once: <T>(key: string, read: () => Promise<T>) => Promise<T>;
}

export const row = rowsOf<IdentityReads, Subject, IdentityCheckId>(identityChecks);
export const controlPlaneRow = rowsOf<IdentityReads, ControlPlaneComponent, IdentityCheckId>(identityChecks);
export const dataPlaneRow = rowsOf<IdentityReads, DataPlaneComponent, IdentityCheckId>(identityChecks);
/** A row about a resource group of the cluster. */
export const rowOfGroups = rowsOf<IdentityReads, Subject & { readonly id: string }, IdentityCheckId>(identityChecks);
export const roleRow = rowsOf<IdentityReads, AssignedComponent, IdentityCheckId>(identityChecks);

export const issuerUrl = given(({ chain }: IdentityReads) => chain.issuerUrl, "--oidc-issuer-url is not specified");

export function identityReads(azure: Azure, chain: IdentityChain): IdentityReads {
  const lists = oncePerKey<unknown>();
  // Each key names one kind of list.
  const once = <T>(key: string, read: () => Promise<T>) => lists.get(key, read) as Promise<T>;
  const { subscriptionId } = azure.connection;
  const vaults = () => once("vaults", async () => all((await azure.vaults()).vaults.listBySubscription()));
  return {
    azure,
    chain,
    vaults,
    once,
    async advice() {
      const name = vaultNameIn(chain);
      // Check vault-exists reports why they cannot be listed.
      const listed = name === undefined ? [] : await vaults().catch(() => undefined);
      return adviceFor(
        listed?.find((vault) => sameText(vault.name, name)),
        chain,
      );
    },
    secrets: (name) => once(`secrets ${name}`, async () => all((await azure.vaultContent(name)).secrets.listPropertiesOfSecrets())),
    deletedSecrets: (name) => once(`deleted ${name}`, async () => all((await azure.vaultContent(name)).secrets.listDeletedSecrets())),
    certificates: (name) => once(`certificates ${name}`, () => thumbprints(azure, name)),
    async principals(clientId, every) {
      const listed = await once("principals", async () => (await azure.directory()).servicePrincipals(every));
      return listed.filter(({ appId }) => sameText(appId, clientId));
    },
    async application(clientId, every) {
      const listed = await once("applications", async () => (await azure.directory()).applicationsOf(every));
      return listed.find(({ appId }) => sameText(appId, clientId));
    },
    identities: () => once("identities", async () => all((await azure.identities()).userAssignedIdentities.listBySubscription())),
    assignments: listedAssignments(azure),
    groupIds: (id) =>
      once(`groups ${id}`, async () => {
        const listed = await all((await azure.resources(id)).resourceGroups.list());
        return listed.map(({ name = "" }) => resourceGroupId(id, name));
      }),
    // In one request, instead of one for each role.
    builtInRoles: () =>
      once("roles", async () => {
        const { roleDefinitions } = await azure.authorization();
        return all(roleDefinitions.list(subscriptionScope(subscriptionId), { filter: "type eq 'BuiltInRole'" }));
      }),
    denials: () => once("denials", () => listDenyAssignments(azure, chain.infra?.subscriptionID ?? subscriptionId)),
  };
}

async function thumbprints(azure: Azure, vaultName: string): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const { certificates } = await azure.vaultContent(vaultName);
    const newest = await all(certificates.listPropertiesOfCertificates());
    const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex");
    return new Map(newest.map(({ name = "", x509Thumbprint }) => [name.toLowerCase(), hex(x509Thumbprint).toUpperCase()]));
  } catch (error) {
    if (azureCodeOf(error) === "ForbiddenByRbac") return undefined;
    throw error;
  }
}

/** Skips a check if the directory cannot be read; other checks can still run. */
export async function unlessDirectoryRefused<Value>(read: () => Promise<Finding<Value>>): Promise<Finding<Value>> {
  try {
    return await read();
  } catch (error) {
    const code = azureCodeOf(error);
    if (code !== "Authorization_RequestDenied") throw error;
    return notChecked(
      `${code}: the signed-in principal has no permission to read the directory; it needs the Microsoft Graph permission Application.Read.All`,
    );
  }
}

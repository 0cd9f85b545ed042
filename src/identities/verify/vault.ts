/** Checks of the vault: it exists, its network rules admit its readers, and the signed-in principal can read it. */
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import type { Vault } from "@azure/arm-keyvault";
import type { DeletedSecret, SecretProperties } from "@azure/keyvault-secrets";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf, azureDetailOf } from "../../azure/azure-error.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { all } from "../../azure/pages.js";
import { plural } from "../../text/plural.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { adviceFor, type SetAdvice } from "./advice.js";
import type { IdentityChain, VaultReference } from "./chain.js";
import { identityChecks } from "./checks.js";
import { vaultNameIn, type FileLinks } from "./file.js";
import { sameText } from "../../text/same-text.js";

/** The vault and its contents, except for the secrets' values. */
export interface ReadVault {
  readonly vault: Vault;
  readonly name: string;
  readonly advice: SetAdvice;
  /** By lower-case name. */
  readonly secrets: ReadonlyMap<string, SecretProperties>;
}

export interface VaultLinks {
  readonly instances: readonly CheckInstance[];
  readonly reference: CheckInstance<VaultReference>;
  /** The vault in Azure Resource Manager, even if its contents cannot be read. */
  readonly exists: CheckInstance<Vault>;
  readonly vault: CheckInstance<ReadVault>;
  /** All visible vaults; listed once. */
  inSubscription(): Promise<readonly Vault[]>;
  /** Advice about the vault's identity set. */
  advice(): Promise<SetAdvice>;
  /** By lower-case name; listed once, on demand. */
  deletedSecrets(vaultName: string): Promise<ReadonlyMap<string, DeletedSecret>>;
  /** SHA-1 of the newest version, upper-case hex, by lower-case name; undefined if they cannot be read. */
  certificates(vaultName: string): Promise<ReadonlyMap<string, string> | undefined>;
}

const subject = "vault";

export function vaultCheckInstances(azure: Azure, chain: IdentityChain, files: FileLinks): VaultLinks {
  const lists = oncePerKey<unknown>();
  // Each key names one kind of list.
  const once = <T>(key: string, list: () => Promise<T>) => lists.get(key, list) as Promise<T>;
  const listed = (name: string) =>
    once(`secrets ${name}`, async () => all((await azure.vaultContent(name)).secrets.listPropertiesOfSecrets()));

  const inSubscription = () => once("vaults", async () => all((await azure.vaults()).vaults.listBySubscription()));

  const exists = checkInstance(identityChecks["vault-exists"], subject, { reference: files.vault }, async ({ reference }) =>
    findVault(azure, chain, await inSubscription(), reference),
  );
  const reachable = checkInstance(identityChecks["vault-reachable"], subject, { vault: exists }, async ({ vault }) =>
    checkNetwork(vault, await refusalOf(listed(vault.name ?? ""))),
  );
  const readable = checkInstance(identityChecks["vault-readable"], subject, { vault: exists, reachable }, async ({ vault }) => {
    const name = vault.name ?? "";
    const advice = adviceFor(vault, chain);
    try {
      const properties = await listed(name);
      const byName = new Map(properties.map((secret) => [secret.name.toLowerCase(), secret]));
      return passed(plural(properties.length, "secret"), { vault, name, advice, secrets: byName });
    } catch (error) {
      return deniedRead(error, advice);
    }
  });
  return {
    instances: [exists, reachable, readable],
    reference: files.vault,
    exists,
    inSubscription,
    advice: async () => {
      const name = vaultNameIn(chain);
      // Check vault-exists reports why they cannot be listed.
      const vaults = name === undefined ? [] : await inSubscription().catch(() => undefined);
      return adviceFor(
        vaults?.find((vault) => isNamed(vault, name ?? "")),
        chain,
      );
    },
    vault: readable,
    deletedSecrets: (name) =>
      once(`deleted secrets ${name}`, async () => {
        const deleted = await all((await azure.vaultContent(name)).secrets.listDeletedSecrets());
        return new Map(deleted.map((secret) => [secret.name.toLowerCase(), secret]));
      }),
    certificates: (name) => once(`certificates ${name}`, () => thumbprints(azure, name)),
  };
}

/**
 * The finding for a missing permission on the vault's contents.
 * @throws any other error unchanged.
 */
export function deniedRead(error: unknown, advice: SetAdvice): Finding<never> {
  const code = azureCodeOf(error);
  if (code !== "ForbiddenByRbac" && code !== "ForbiddenByPolicy") throw error;
  return failed(`${code}: the signed-in principal has no role that allows reading secrets`, advice.grantRead());
}

async function thumbprints(azure: Azure, vaultName: string): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const { certificates } = await azure.vaultContent(vaultName);
    const newest = await all(certificates.listPropertiesOfCertificates());
    return new Map(
      newest.map(({ name = "", x509Thumbprint }) => [
        name.toLowerCase(),
        Buffer.from(x509Thumbprint ?? [])
          .toString("hex")
          .toUpperCase(),
      ]),
    );
  } catch (error) {
    if (azureCodeOf(error) === "ForbiddenByRbac") return undefined;
    throw error;
  }
}

async function findVault(
  azure: Azure,
  chain: IdentityChain,
  here: readonly Vault[],
  { name, tenantId }: VaultReference,
): Promise<Finding<Vault>> {
  const vault = here.find((one) => isNamed(one, name));
  if (vault === undefined) {
    const { vaults } = await azure.vaults();
    const deleted = (await all(vaults.listDeleted())).find((one) => isNamed(one, name));
    if (deleted !== undefined) {
      const { vaultId, location, tags, deletionDate } = deleted.properties ?? {};
      const { createWithFiles: create } = adviceFor(
        { name, ...(vaultId && { id: vaultId }), ...(location && { location }), ...(tags && { tags }) },
        chain,
      );
      return failed(
        `vault ${name} was deleted on ${deletionDate?.toISOString() ?? "an unknown date"}`,
        advise`recover it with its contents: ${shell`az keyvault recover --name ${name}`}; then restore its role assignments: ${create}`,
      );
    }
    return failed(
      `subscription ${azure.connection.subscriptionId} has no vault ${name}`,
      advise`pass its subscription with --subscription, correct managedIdentitiesKeyVault.name in the file, or create it with ${aroHcp("create identities")}`,
    );
  }
  const { properties } = vault;
  if (!sameText(properties.tenantId, tenantId)) {
    return failed(
      `vault ${name} is in tenant ${properties.tenantId}, but the tenant in the file is ${tenantId}`,
      `set tenantID to "${properties.tenantId}" in the file`,
    );
  }
  if (properties.enableRbacAuthorization !== true) {
    return failed(
      `vault ${name} uses access policies, so role assignments on it have no effect`,
      shell`az keyvault update --name ${name} --enable-rbac-authorization true`,
    );
  }
  return passed(vault.id ?? name, vault);
}

interface Refusal {
  readonly code: string;
  /** The address of this machine, as the vault sees it. */
  readonly address: string | undefined;
}

/** Why the vault's network rules refuse this machine, which only the data plane reports; undefined if they admit it. */
async function refusalOf(read: Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await read;
    return undefined;
  } catch (error) {
    const { code, message = "" } = azureDetailOf(error) ?? {};
    // Any other error means that the network admitted the request; the next check reports it.
    if (code !== "ForbiddenByFirewall" && code !== "ForbiddenByConnection") return undefined;
    return { code, address: /Client address: ([\da-fA-F.:]+)/.exec(message)?.[1] };
  }
}

function isNamed(vault: { readonly name?: string }, name: string): boolean {
  return sameText(vault.name, name);
}

function checkNetwork({ name = "", properties }: Vault, refusal: Refusal | undefined): Finding<unknown> {
  const { networkAcls: { defaultAction, ipRules = [], virtualNetworkRules = [] } = {}, publicNetworkAccess } = properties;
  const endpoints = (properties.privateEndpointConnections ?? []).filter(
    (connection) => connection.privateLinkServiceConnectionState?.status === "Approved",
  );
  const closed = publicNetworkAccess?.toLowerCase() === "disabled";
  const admitted = `${plural(ipRules.length, "address range")}, ${plural(virtualNetworkRules.length, "subnet")}, ${plural(endpoints.length, "private endpoint")}`;
  const rules = closed
    ? `public access is disabled; ${admitted}`
    : defaultAction === "Deny"
      ? `access is denied except for ${admitted}`
      : "open to all networks";
  const open = advise`allow the subnet of the management cluster's nodes: ${shell`az keyvault network-rule add --name ${name} --subnet ${blank("subnet-id")}`}, or all networks: ${shell`az keyvault update --name ${name} --public-network-access Enabled --default-action Allow`}`;
  const isClosed = closed
    ? endpoints.length === 0
    : defaultAction === "Deny" && ipRules.length + virtualNetworkRules.length + endpoints.length === 0;
  if (isClosed) return failed(`${rules}; no node can read a secret`, open);
  if (refusal !== undefined) {
    const { code, address = blank("address") } = refusal;
    return failed(
      `${code}: ${rules}; this machine is not among them, so the contents of the vault cannot be verified from here`,
      // Without public access, no address can be admitted.
      closed
        ? "verify from a network with one of its private endpoints"
        : advise`verify from a network that the vault allows, or allow this machine: ${shell`az keyvault network-rule add --name ${name} --ip-address ${address}`}`,
    );
  }
  return passed(defaultAction === "Deny" || closed ? `${rules}; the nodes must be among them` : rules);
}

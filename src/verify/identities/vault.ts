/** Checks of the vault: that it is there, lets its readers in, and may be read by us. */
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import type { Vault } from "@azure/arm-keyvault";
import type { DeletedSecret, SecretProperties } from "@azure/keyvault-secrets";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf, azureDetailOf } from "../../azure/azure-error.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { all } from "../../azure/pages.js";
import { broken, holds, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { adviceFor, type SetAdvice } from "./advice.js";
import type { IdentityChain, VaultReference } from "./chain.js";
import { identityChecks } from "./checks.js";
import { vaultNameIn, type FileLinks } from "./file.js";

/** The vault, and what is in it but for the secrets' values. */
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
  /** As Azure Resource Manager shows it, whether its content can be read from here or not. */
  readonly exists: CheckInstance<Vault>;
  readonly vault: CheckInstance<ReadVault>;
  /** All that we may see; listed once. */
  inSubscription(): Promise<readonly Vault[]>;
  /** For what is no matter of the vault, but of the set that it is of. */
  advice(): Promise<SetAdvice>;
  /** By lower-case name; listed once, and only where somebody asks. */
  deletedSecrets(vaultName: string): Promise<ReadonlyMap<string, DeletedSecret>>;
  /** SHA-1 of the newest version, upper-case hex, by lower-case name; undefined where we may not read them. */
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
      return holds(`${String(properties.length)} secrets`, { vault, name, advice, secrets: byName });
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
      // Why they cannot be listed is for the check of the vault to tell.
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

/** What a missing right on the vault's content comes to; throws what is something else. */
export function deniedRead(error: unknown, advice: SetAdvice): Finding<never> {
  const code = azureCodeOf(error);
  if (code !== "ForbiddenByRbac" && code !== "ForbiddenByPolicy") throw error;
  return broken(`${code}: whoever verifies has no role that lets it read secrets`, advice.letRead());
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
      const { make } = adviceFor({ name, ...(vaultId && { id: vaultId }), ...(location && { location }), ...(tags && { tags }) }, chain);
      return broken(
        `vault ${name} was deleted on ${deletionDate?.toISOString() ?? "a day that is not told"}`,
        advise`recover it, with all that was in it: ${shell`az keyvault recover --name ${name}`}; only ${make} restores its role assignments`,
      );
    }
    return broken(
      `subscription ${azure.connection.subscriptionId} has no vault ${name}`,
      advise`pass the subscription that holds it with --subscription, correct managedIdentitiesKeyVault.name in the file, or create it with ${aroHcp("create identities")}`,
    );
  }
  const { properties } = vault;
  if (properties.tenantId.toLowerCase() !== tenantId.toLowerCase()) {
    return broken(
      `vault ${name} is in tenant ${properties.tenantId}, the file says ${tenantId}`,
      `put tenantID "${properties.tenantId}" into the file`,
    );
  }
  if (properties.enableRbacAuthorization !== true) {
    return broken(
      `vault ${name} decides by access policies: role assignments on it have no effect`,
      shell`az keyvault update --name ${name} --enable-rbac-authorization true`,
    );
  }
  return holds(vault.id ?? name, vault);
}

interface Refusal {
  readonly code: string;
  /** Of this machine, as the vault sees it. */
  readonly address: string | undefined;
}

/** What a network refuses is told by the data plane alone; undefined where it let us in. */
async function refusalOf(read: Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await read;
    return undefined;
  } catch (error) {
    const { code, message = "" } = azureDetailOf(error) ?? {};
    // Any other answer is the next check's: the network let the question through.
    if (code !== "ForbiddenByFirewall" && code !== "ForbiddenByConnection") return undefined;
    return { code, address: /Client address: ([\da-fA-F.:]+)/.exec(message)?.[1] };
  }
}

function isNamed(vault: { readonly name?: string }, name: string): boolean {
  return vault.name?.toLowerCase() === name.toLowerCase();
}

function checkNetwork({ name = "", properties }: Vault, refusal: Refusal | undefined): Finding<unknown> {
  const { networkAcls: { defaultAction, ipRules = [], virtualNetworkRules = [] } = {}, publicNetworkAccess } = properties;
  const endpoints = (properties.privateEndpointConnections ?? []).filter(
    (connection) => connection.privateLinkServiceConnectionState?.status === "Approved",
  );
  const closed = publicNetworkAccess?.toLowerCase() === "disabled";
  const ways = `${String(ipRules.length)} address ranges, ${String(virtualNetworkRules.length)} subnets, ${String(endpoints.length)} private endpoints`;
  const rules = closed
    ? `public access is disabled; ${ways}`
    : defaultAction === "Deny"
      ? `all is denied but ${ways}`
      : "open to all networks";
  const open = advise`allow the subnet of the management cluster's nodes: ${shell`az keyvault network-rule add --name ${name} --subnet ${blank("subnet id")}`}, or all networks: ${shell`az keyvault update --name ${name} --public-network-access Enabled --default-action Allow`}`;
  const nobody = closed
    ? endpoints.length === 0
    : defaultAction === "Deny" && ipRules.length + virtualNetworkRules.length + endpoints.length === 0;
  if (nobody) return broken(`${rules}: no node can read a secret`, open);
  if (refusal !== undefined) {
    const { code, address = blank("address") } = refusal;
    return broken(
      `${code}: ${rules}, and this machine is none of them, so nothing behind it can be verified from here`,
      // Without public access no address is admitted.
      closed
        ? "verify from a network that one of its private endpoints is in"
        : advise`verify from a network that the vault allows, or allow this machine: ${shell`az keyvault network-rule add --name ${name} --ip-address ${address}`}`,
    );
  }
  return holds(defaultAction === "Deny" || closed ? `${rules}; the nodes must be among them` : rules);
}

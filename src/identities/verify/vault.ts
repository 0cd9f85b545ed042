/** Rows of the vault: it exists, its network rules admit its readers, and the signed-in principal can read it. */
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import type { Vault } from "@azure/arm-keyvault";
import type { SecretProperties } from "@azure/keyvault-secrets";
import { azureCodeOf, azureDetailOf } from "../../azure/azure-error.js";
import { all } from "../../azure/pages.js";
import { plural } from "../../text/plural.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { adviceFor, type SetAdvice } from "./advice.js";
import { vaultReference } from "./file.js";
import { row } from "./reads.js";
import { sameText } from "../../text/same-text.js";
import { rfc3339 } from "../../text/rfc3339.js";

/** The vault and its contents, except for the secrets' values. */
export interface ReadVault {
  readonly vault: Vault;
  readonly name: string;
  readonly advice: SetAdvice;
  /** The secrets by their lower-case name. */
  readonly secrets: ReadonlyMap<string, SecretProperties>;
}

/** The vault exists in Azure Resource Manager; its contents may be unreadable. */
export const vaultExists = row("vault-exists", { reference: vaultReference }, async ({ reference }, { azure, chain, vaults }) => {
  const { name, tenantId } = reference;
  const vault = (await vaults()).find((one) => sameText(one.name, name));
  if (vault === undefined) {
    const deleted = (await all((await azure.vaults()).vaults.listDeleted())).find((one) => sameText(one.name, name));
    if (deleted !== undefined) {
      const { vaultId, location, tags, deletionDate } = deleted.properties ?? {};
      const { createWithFiles: create } = adviceFor(
        { name, ...(vaultId && { id: vaultId }), ...(location && { location }), ...(tags && { tags }) },
        chain,
      );
      return failed(
        `vault ${name} was deleted on ${deletionDate ? rfc3339(deletionDate) : "an unknown date"}`,
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
});

export const vaultReachable = row("vault-reachable", { vault: vaultExists }, async ({ vault }, { secrets }) =>
  checkNetwork(vault, await refusalOf(secrets(vault.name ?? ""))),
);

export const vaultReadable = row(
  "vault-readable",
  { vault: vaultExists, reachable: vaultReachable },
  async ({ vault }, { chain, secrets }): Promise<Finding<ReadVault>> => {
    const { name = "" } = vault;
    const advice = adviceFor(vault, chain);
    try {
      const listed = await secrets(name);
      const byName = new Map(listed.map((secret) => [secret.name.toLowerCase(), secret]));
      return passed(plural(listed.length, "secret"), { vault, name, advice, secrets: byName });
    } catch (error) {
      return deniedRead(error, advice);
    }
  },
);

/**
 * The finding for a missing permission on the vault's contents.
 * @throws any other error unchanged.
 */
export function deniedRead(error: unknown, advice: SetAdvice): Finding<never> {
  const code = azureCodeOf(error);
  if (code !== "ForbiddenByRbac" && code !== "ForbiddenByPolicy") throw error;
  return failed(`${code}: the signed-in principal has no role that allows reading secrets`, advice.grantRead());
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

/** Rows of the checks of the vault itself. */
import { everyLine, firstLine, run } from "../../verify/advice.js";
import { commandsIn, type HealthyState } from "../../verify/healthy-state.js";
import type { Row } from "./identity-rows.js";

async function updateVault(state: HealthyState, properties: object): Promise<void> {
  const { vaults } = await state.azure.vaults();
  await vaults.update("demo-common", state.vault, { properties });
}

/** Deletes the signed-in principal's role assignments on the vault itself. */
async function deleteRolesOnVault({ azure, vault }: HealthyState): Promise<void> {
  const { roleAssignments } = await azure.authorization();
  const { id = "" } = await (await azure.vaults()).vaults.get("demo-common", vault);
  for await (const { id: assignment = "" } of roleAssignments.listForScope(id, { filter: "atScope()" })) {
    if (assignment.includes("/vaults/")) await roleAssignments.deleteById(assignment);
  }
}

/** The advice is to allow the subnet of the nodes, or all networks. */
const openToAll: Row["follow"] = async (state, result) => void (await run(state, commandsIn(result)[1] ?? ""));

export const vaultRows: readonly Row[] = [
  {
    row: "vault-exists/vault",
    fault: "access policies",
    breaks: (state) => updateVault(state, { enableRbacAuthorization: false }),
    evidence: /uses access policies, so role assignments on it have no effect/,
    follow: firstLine,
  },
  {
    row: "vault-exists/vault",
    fault: "a deleted vault",
    breaks: async (state) => (await state.azure.vaults()).vaults.delete("demo-common", state.vault),
    evidence: /was deleted on 20/,
    follow: everyLine,
  },
  {
    row: "vault-reachable/vault",
    fault: "a firewall that allows no network",
    breaks: (state) => updateVault(state, { networkAcls: { defaultAction: "Deny", ipRules: [] } }),
    evidence: /^access is denied except for 0 address ranges.*no node can read a secret/,
    follow: openToAll,
  },
  {
    row: "vault-reachable/vault",
    fault: "a firewall that allows only other networks",
    breaks: (state) => updateVault(state, { networkAcls: { defaultAction: "Deny", ipRules: [{ value: "198.51.100.7" }] } }),
    evidence: /^ForbiddenByFirewall: access is denied except for 1 address range,.*this machine is not among them/,
    follow: firstLine,
  },
  {
    row: "vault-reachable/vault",
    fault: "disabled public access",
    breaks: (state) => updateVault(state, { publicNetworkAccess: "Disabled" }),
    evidence: /^public access is disabled/,
    follow: openToAll,
  },
  {
    row: "vault-readable/vault",
    fault: "a missing role of the signed-in principal",
    breaks: deleteRolesOnVault,
    evidence: /^ForbiddenByRbac/,
    follow: firstLine,
  },
];

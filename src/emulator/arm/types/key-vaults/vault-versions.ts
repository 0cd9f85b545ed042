/** The API versions of Microsoft.KeyVault's management, and the deprecation header of the old ones. */

/** Sent by clients in use; arm-keyvault 5 sends the first. */
export const vaultVersions = ["2026-02-01", "2025-05-01", "2024-11-01", "2023-07-01", "2023-02-01", "2022-07-01", "2021-10-01"];

/** From this version on, a vault that does not specify it is governed by roles. */
export const firstByRoles = "2026-02-01";

/** Older versions ignore `enableSoftDelete: false`: the vault has soft delete all the same. */
export const firstWithSoftDelete = "2022-07-01";

/** Versions before 2026-02-01 retire, as access by roles becomes the default. */
export function deprecation(apiVersion: string): Record<string, string> {
  return apiVersion < firstByRoles
    ? { "azure-deprecating": "API versions before 2026-02-01 retire on 2027-04-01: access by roles becomes the default" }
    : {};
}

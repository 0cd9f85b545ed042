/** The API versions of Microsoft.KeyVault's management, and the deprecation header of the old ones. */

import { versionsOf } from "../../api-versions.js";

export const vaultVersions = versionsOf("Microsoft.KeyVault", {
  from: "2016-10-01",
  preview: ["2020-04-01-preview", "2021-04-01-preview", "2021-06-01-preview", "2021-11-01-preview"],
});

/** From this version on, a new vault that does not specify it is governed by roles. */
export const firstByRoles = "2026-02-01";

/** Versions before 2026-02-01 retire, as access by roles becomes the default. */
export function deprecation(apiVersion: string): Record<string, string> {
  return apiVersion < firstByRoles
    ? { "azure-deprecating": "API versions before 2026-02-01 retire on 2027-04-01: access by roles becomes the default" }
    : {};
}

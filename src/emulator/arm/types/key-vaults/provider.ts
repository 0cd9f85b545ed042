/** API versions, deprecations and recovery times that the types of Microsoft.KeyVault share. */
import { versionsOf } from "../../api-versions.js";

export const vaultVersions = versionsOf("Microsoft.KeyVault", {
  from: "2016-10-01",
  preview: ["2020-04-01-preview", "2021-04-01-preview", "2021-06-01-preview", "2021-11-01-preview"],
});

/** From this version on, a new vault that does not specify it is governed by roles. */
export const firstByRoles = "2026-02-01";

/** The first version that has `publicNetworkAccess`, and names the defaults of a new vault. */
export const firstWithPublicNetworkAccess = "2021-06-01-preview";

/** Versions before 2026-02-01 retire, as access by roles becomes the default. */
export function deprecation(apiVersion: string): Record<string, string> {
  return apiVersion < firstByRoles
    ? { "azure-deprecating": "API versions before 2026-02-01 retire on 2027-04-01: access by roles becomes the default" }
    : {};
}

export const defaultRetentionDays = 90;

/** A vault that was written without a retention has Azure's default, which its GET does not always name. */
export function retentionDaysOf(properties: Readonly<Record<string, unknown>>): number {
  return Number(properties["softDeleteRetentionInDays"] ?? defaultRetentionDays);
}

/** What the attributes of a key, a secret or a certificate say about its recovery. */
export function recoveryLevelOf(properties: Readonly<Record<string, unknown>>): string {
  const level = retentionDaysOf(properties) < defaultRetentionDays ? "CustomizedRecoverable" : "Recoverable";
  return isPurgeProtected(properties) ? level : `${level}+Purgeable`;
}

export function isPurgeProtected(properties: Readonly<Record<string, unknown>>): boolean {
  return properties["enablePurgeProtection"] === true;
}

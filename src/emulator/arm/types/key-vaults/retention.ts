/** How long a deleted vault, or something deleted in a vault, can be recovered. */

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

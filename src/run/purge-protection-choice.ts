/** Decides which vaults a create protects from purging. */
import type { PurgeProtection } from "../domain/purge-protection.js";
import type { CommandName } from "../settings/commands.js";
import type { Resolved } from "../settings/settings.js";
import { isGiven } from "./option-record.js";

export function purgeProtectionOf(
  { settings, origins }: { readonly settings: { readonly purgeProtection?: boolean }; readonly origins: Resolved<CommandName>["origins"] },
  hasEtcdKey: boolean,
): PurgeProtection {
  if (settings.purgeProtection === true) return "any";
  return hasEtcdKey && !isGiven({ origins }, "purgeProtection") ? "new" : "none";
}

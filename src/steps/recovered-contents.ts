/** The contents of a soft-deleted vault: they come back with it, so a plan cannot read them. */
import type { VaultOutput } from "./key-vault.js";

export function unreadIn({ vault }: { readonly vault?: VaultOutput | undefined }): string | undefined {
  return vault?.isRecovered && `recovered with Key Vault ${vault.name}, and checked during the run`;
}

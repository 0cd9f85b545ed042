/** Contents of a vault that a plan cannot read: the run checks them. */
import type { Admission } from "./vault-access.js";
import type { VaultOutput } from "./key-vault.js";

interface Outputs {
  readonly vault?: VaultOutput | undefined;
  /** Undefined until the vault grants access. */
  readonly access?: Admission | undefined;
}

/** The contents of a soft-deleted vault come back with it. */
export function unreadIn({ vault }: Pick<Outputs, "vault">): string | undefined {
  return vault?.isRecovered && `recovered with Key Vault ${vault.name}, and checked during the run`;
}

/** The same, for contents that need a role which the run assigns first. */
export function unreadWithoutAccess({ vault, access }: Outputs): string | undefined {
  const recovered = unreadIn({ vault });
  if (recovered !== undefined || vault?.exists !== true || access !== undefined) return recovered;
  return `read with a role on Key Vault ${vault.name}, and checked during the run`;
}

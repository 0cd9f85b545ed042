/** Keeps an existing KMS identity in the files of a create, unless `--no-enable-kms` turns it off. */
import type { CommandName } from "../settings/commands.js";
import type { Resolved } from "../settings/settings.js";
import { isGiven } from "./option-record.js";

export interface Existing {
  /** The subject of the create: "identity set demo". */
  readonly title: string;
  hasKms(): Promise<boolean>;
}

/** The value of --enable-kms. `say` reports if it is kept. Without it, a HostedCluster loses its encryption. */
export async function keptKms(
  resolved: Pick<Resolved<CommandName>, "origins"> & { readonly settings: { readonly enableKms: boolean } },
  { title, hasKms }: Existing,
  say: (text: string) => void,
): Promise<boolean> {
  const { enableKms } = resolved.settings;
  if (enableKms || isGiven(resolved, "enableKms") || !(await hasKms())) return enableKms;
  say(`notice: ${title} keeps settings that it was created with: --enable-kms`);
  return true;
}

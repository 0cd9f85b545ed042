/** The versions of a key in a vault, read through Resource Manager: it needs no role for the contents of the vault. */
import type { Key } from "@azure/arm-keyvault";
import type { KeyVersion } from "../domain/encryption-key.js";
import type { Azure } from "./azure.js";
import { found } from "./long-running.js";
import { all } from "./pages.js";

export interface KeyWithVersions {
  readonly key: Key;
  readonly versions: readonly KeyVersion[];
}

/** Undefined if there is no such key, or if it is soft-deleted. */
export async function readKey(azure: Azure, groupName: string, vaultName: string, name: string): Promise<KeyWithVersions | undefined> {
  const { keys } = await azure.vaults();
  const key = await found(keys.get(groupName, vaultName, name));
  // The key may be deleted meanwhile.
  const listed = key && (await found(all(keys.listVersions(groupName, vaultName, name))));
  return key && listed && { key, versions: listed.map(versionOf) };
}

function versionOf({ id = "", attributes: { created = 0, enabled = true } = {} }: Key): KeyVersion {
  return { version: id.split("/").at(-1) ?? "", createdOn: new Date(created * 1000), enabled };
}

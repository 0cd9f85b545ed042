/** The command that publishes an issuer's documents, from the tags of its storage account. */
import { dirname, join } from "node:path";
import type { StorageAccount } from "@azure/arm-storage";
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { aroHcp, blank, type OwnCommand } from "../../errors/advice.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { readTextIfThere } from "../../files/text-file.js";
import type { KnownSet } from "./advice.js";
import { identitySetTag } from "../../domain/ownership.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { tagValue } from "../../domain/tags.js";

/** Complete if aro-hcp created the issuer's storage account in this subscription, and if the public key is next to the private one. */
export async function publishCommand(
  azure: Azure,
  issuerUrl: string,
  signingKeyPath: string | undefined,
  set: KnownSet | undefined,
): Promise<OwnCommand> {
  const place = await placeOf(azure, new URL(issuerUrl), set);
  const key = await publicHalfOf(signingKeyPath);
  const publicKeyFile = key === undefined ? blank("public key file") : [key];
  return aroHcp("create oidc-issuer", { ...(place ?? { identitiesName: blank("identity set") }), publicKeyFile });
}

/** The storage account of an issuer; undefined if it is at another address. */
export function accountNameOf(azure: Azure, { hostname }: URL): string | undefined {
  const suffix = `.${azure.connection.cloud.blobSuffix}`;
  return hostname.endsWith(suffix) ? hostname.slice(0, -suffix.length) : undefined;
}

/** Undefined without the permission to list, and for an account in another subscription. */
export async function accountNamed(azure: Azure, name: string): Promise<StorageAccount | undefined> {
  const { storageAccounts } = await azure.storage();
  return (await orRefused(all(storageAccounts.list())))?.find((one) => one.name === name);
}

/** For a deleted account, the set and the address provide everything except the resource group. */
async function placeOf(azure: Azure, url: URL, ownSet: KnownSet | undefined) {
  const name = accountNameOf(azure, url);
  if (name === undefined) return undefined;
  const { pathname } = url;
  const account = await accountNamed(azure, name);
  const address = { storageAccountName: name, blobContainerName: pathname.slice(1) };
  if (account === undefined && ownSet !== undefined) return { identitiesName: ownSet.name, ...address, location: ownSet.location };
  const set = tagValue(account?.tags, identitySetTag);
  if (account?.id === undefined || set === undefined) return undefined;
  return { identitiesName: set, oidcResourceGroupName: parseResourceId(account.id).resourceGroup, ...address, location: account.location };
}

/** The public key file next to a private key that `create key-pair` created. */
async function publicHalfOf(privateKey: string | undefined): Promise<string | undefined> {
  if (privateKey === undefined || !privateKey.endsWith(directoryFiles.privateKey)) return undefined;
  const path = join(dirname(privateKey), directoryFiles.publicKey);
  return (await readTextIfThere(path)) === undefined ? undefined : path;
}

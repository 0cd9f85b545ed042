/** The command line that publishes an issuer's documents: its account tells whose it is. */
import { dirname, join } from "node:path";
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { shellWord } from "../../errors/shell-word.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { readTextIfThere } from "../../files/text-file.js";
import type { KnownSet } from "./advice.js";
import { identitySetTag } from "../../domain/ownership.js";
import { parseResourceId } from "../../domain/resource-id.js";

/** In backticks, whole where the issuer is in an account of ours in this subscription. The key is `FILE` where no file holds its public half. */
export async function publishCommand(
  azure: Azure,
  issuerUrl: string,
  signingKeyPath: string | undefined,
  set: KnownSet | undefined,
): Promise<string> {
  const flags = await flagsOf(azure, new URL(issuerUrl), set);
  const key = (await publicHalfOf(signingKeyPath)) ?? "FILE";
  const words = flags === undefined ? [] : [...flags, "--public-key-file", key];
  return `\`${["aro-hcp create oidc-issuer", ...words.map(shellWord)].join(" ")}\``;
}

/** Of an account that is gone its set and its address tell all but its group. */
async function flagsOf(azure: Azure, { hostname, pathname }: URL, ownSet: KnownSet | undefined): Promise<string[] | undefined> {
  const suffix = `.${azure.connection.cloud.blobSuffix}`;
  if (!hostname.endsWith(suffix)) return undefined;
  const name = hostname.slice(0, -suffix.length);
  const { storageAccounts } = await azure.storage();
  const account = (await orRefused(all(storageAccounts.list())))?.find((one) => one.name === name);
  const address = ["--storage-account-name", name, "--blob-container-name", pathname.slice(1)];
  if (account === undefined && ownSet !== undefined) {
    return ["--name", ownSet.name, ...address, ...(ownSet.location === undefined ? [] : ["--location", ownSet.location])];
  }
  const set = account?.tags?.[identitySetTag];
  if (account?.id === undefined || set === undefined) return undefined;
  return [
    ...["--name", set, "--oidc-resource-group-name", parseResourceId(account.id).resourceGroup ?? ""],
    ...[...address, "--location", account.location],
  ];
}

/** Beside a key that `create key-pair` made. */
async function publicHalfOf(privateKey: string | undefined): Promise<string | undefined> {
  if (privateKey === undefined || !privateKey.endsWith(directoryFiles.privateKey)) return undefined;
  const path = join(dirname(privateKey), directoryFiles.publicKey);
  return (await readTextIfThere(path)) === undefined ? undefined : path;
}

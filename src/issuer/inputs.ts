/** Converts settings to the issuer, for every command that creates or deletes one. */
import type { Azure } from "../azure/azure.js";
import {
  issuerContainerName,
  issuerGroupName,
  issuerUrl,
  type IssuerSpec,
  type IssuerUpload,
  defaultAccountName,
  plainAccountName,
} from "../domain/issuer.js";
import type { SetPlace } from "../domain/unique-suffix.js";
import type { IssuerPlace } from "./removal/issuer.js";
import { found } from "../azure/long-running.js";

export interface IssuerSettings {
  readonly name: string;
  readonly location: string;
  readonly oidcResourceGroupName: string | undefined;
  readonly storageAccountName: string | undefined;
  readonly blobContainerName: string | undefined;
  readonly userTags: Readonly<Record<string, string>>;
  readonly issuerUpload?: IssuerUpload;
}

interface KeyChanges {
  readonly retiredKeys?: readonly string[];
  readonly joinFlag?: string | undefined;
}

/** `account`: its name, as `issuerAccount` finds it. */
export function issuerSpec(
  settings: IssuerSettings,
  { connection }: Azure,
  account: string,
  { retiredKeys = [], joinFlag }: KeyChanges = {},
): IssuerSpec {
  const container = settings.blobContainerName ?? issuerContainerName(settings.name);
  return {
    group: issuerGroupOf(settings),
    account,
    container,
    owner: { identitySet: settings.name },
    subscriptionId: connection.subscriptionId,
    location: settings.location,
    url: issuerUrl(connection.cloud.blobSuffix, { account, container }),
    tags: settings.userTags,
    retiredKeys,
    joinFlag,
    ...(settings.issuerUpload && { upload: settings.issuerUpload }),
  };
}

type GroupSettings = Pick<IssuerSettings, "name" | "oidcResourceGroupName">;
type AccountSettings = GroupSettings & Pick<IssuerSettings, "storageAccountName">;

export function issuerGroupOf({ name, oidcResourceGroupName }: GroupSettings): string {
  return oidcResourceGroupName ?? issuerGroupName(name);
}

/** What the default name of the storage account is derived from. */
export function accountPlace(settings: GroupSettings, { connection }: Azure): SetPlace {
  return { subscriptionId: connection.subscriptionId, groupName: issuerGroupOf(settings), name: settings.name };
}

/** The name of the storage account: as given, of an existing one, or the default. */
export async function issuerAccount(settings: AccountSettings, azure: Azure): Promise<string> {
  return settings.storageAccountName ?? accountName(azure, accountPlace(settings, azure));
}

/** The location of an existing issuer. */
export function issuerPlace(settings: AccountSettings): IssuerPlace {
  const { oidcResourceGroupName, storageAccountName: accountName } = settings;
  return { groupName: issuerGroupOf(settings), named: oidcResourceGroupName !== undefined, accountName };
}

/**
 * The earlier plain name, if the issuer's group has that account: the account's name is part of the issuer's URL, and the identities trust
 * that URL. The step of the account decides whether the set owns it.
 */
async function accountName(azure: Azure, place: SetPlace): Promise<string> {
  const plain = plainAccountName(place);
  if (plain === undefined) return defaultAccountName(place);
  const { storageAccounts } = await azure.storage();
  const live = await found(storageAccounts.getProperties(place.groupName, plain));
  return live === undefined ? defaultAccountName(place) : plain;
}

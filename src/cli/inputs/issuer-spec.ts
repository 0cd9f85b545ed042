/** Converts settings to the issuer, for every command that creates or deletes one. */
import type { Azure } from "../../azure/azure.js";
import { issuerNames, issuerUrl, type IssuerSpec, type IssuerUpload } from "../../domain/issuer.js";
import type { IssuerPlace } from "../../removal/issuer.js";

export interface IssuerSettings {
  readonly name: string;
  readonly location: string;
  readonly oidcResourceGroupName: string | undefined;
  readonly storageAccountName: string | undefined;
  readonly blobContainerName: string | undefined;
  readonly userTags: Readonly<Record<string, string>>;
  readonly issuerUpload?: IssuerUpload;
}

export function issuerSpec(settings: IssuerSettings, { connection }: Azure, retiredKeys: readonly string[]): IssuerSpec {
  const names = issuerNames(settings.name, settings);
  return {
    ...names,
    owner: { identitySet: settings.name },
    subscriptionId: connection.subscriptionId,
    location: settings.location,
    url: issuerUrl(connection.cloud.blobSuffix, names),
    tags: settings.userTags,
    retiredKeys,
    ...(settings.issuerUpload && { upload: settings.issuerUpload }),
  };
}

/** The location of an existing issuer. */
export function issuerPlace(settings: Omit<IssuerSettings, "location" | "userTags">): IssuerPlace {
  const { oidcResourceGroupName, storageAccountName: accountName } = settings;
  return { groupName: issuerNames(settings.name, settings).group, named: oidcResourceGroupName !== undefined, accountName };
}

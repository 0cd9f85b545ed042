/** The API versions of Microsoft.Storage, and the names of its types. */
import { versionsOf } from "../../api-versions.js";

export const storageVersions = versionsOf("Microsoft.Storage", { from: "2018-02-01" });

export const accountType = "Microsoft.Storage/storageAccounts";
export const containerType = `${accountType}/blobServices/containers`;

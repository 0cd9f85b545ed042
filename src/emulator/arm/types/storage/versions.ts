/** The API versions of Microsoft.Storage, and the names of its types. */
export const storageVersions = [
  "2025-08-01",
  "2025-06-01",
  "2025-01-01",
  "2024-01-01",
  "2023-05-01",
  "2023-01-01",
  "2022-09-01",
  "2021-09-01",
];

export const accountType = "Microsoft.Storage/storageAccounts";
export const blobServiceType = `${accountType}/blobServices`;
export const containerType = `${blobServiceType}/containers`;

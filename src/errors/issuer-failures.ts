/** Catalogue entries for the signing key and the OIDC issuer. */
import { advise, aroHcp, blank, rerun, shell, withFlag } from "./advice.js";

export const issuerFailures = {
  "ARO-KEY-001": {
    title: "a key file cannot be used",
    exit: 2,
    next: [advise`pass a PEM file with an RSA key; ${aroHcp("create key-pair")} creates a key pair`],
  },
  "ARO-OIDC-001": {
    title: "a policy prevents public access to the issuer's documents",
    exit: 5,
    next: [
      advise`ask the owner of the policy for an exemption: ${shell`az policy assignment list --disable-scope-strict-match`} lists the assignments`,
      "or publish the two documents at another HTTPS address, and pass its URL to the commands that need the issuer",
    ],
    azureCodes: ["PublicAccessNotPermitted"],
  },
  "ARO-OIDC-002": {
    title: "the name of the storage account is taken",
    exit: 5,
    next: [advise`choose another${withFlag("--storage-account-name", " with --storage-account-name")}; it must be unique across Azure`],
    azureCodes: ["StorageAccountAlreadyTaken"],
  },
  "ARO-OIDC-003": {
    title: "the published documents are not publicly readable",
    exit: 1,
    next: [advise`check for a firewall, private endpoint or proxy in front of the storage account, then ${rerun}`],
    azureCodes: ["AuthorizationFailure"],
  },
  "ARO-OIDC-004": {
    title: "a role assignment did not take effect on the data in time",
    exit: 1,
    next: [advise`wait up to 10 minutes, then ${rerun}`],
    azureCodes: ["AuthorizationPermissionMismatch"],
  },
  "ARO-OIDC-005": {
    title: "this change to the issuer's keys is not allowed",
    exit: 5,
    next: [
      advise`publish the new key${withFlag("--public-key-file", " with --public-key-file")} first, wait until every token of the old key has expired, then retire the old key`,
    ],
  },
  "ARO-OIDC-006": {
    title: "more than one resource group contains an issuer with this name",
    exit: 5,
    next: [advise`select the resource group${withFlag("--oidc-resource-group-name", " with --oidc-resource-group-name")}`],
  },
  "ARO-OIDC-007": {
    title: "the issuer's storage account may still accept its keys",
    exit: 1,
    next: [
      advise`${rerun}, or turn the keys off: ${shell`az storage account update --name ${blank("account")} --allow-shared-key-access false`}`,
    ],
  },
} as const;

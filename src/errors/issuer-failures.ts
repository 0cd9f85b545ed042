/** Failures of the signing key and of the issuer that publishes it. Part of the catalogue. */
import { runAgain, type CatalogueEntry } from "./catalogue-entry.js";

export const issuerFailures = {
  "ARO-KEY-001": {
    title: "a key file that cannot be used",
    exit: 2,
    next: ["give the file of an RSA key in PEM; `aro-hcp create key-pair` makes a pair"],
  },
  "ARO-OIDC-001": {
    title: "the documents of the issuer may not be public",
    exit: 5,
    next: [
      "ask who owns the policy for an exemption: `az policy assignment list --disable-scope-strict-match` lists what holds here",
      "or publish the two documents at another HTTPS address, and pass that as --oidc-issuer-url",
    ],
    azureCodes: ["PublicAccessNotPermitted"],
  },
  "ARO-OIDC-002": {
    title: "the name of the storage account is taken",
    exit: 5,
    next: ["choose another with --storage-account-name: names are shared by all of Azure"],
    azureCodes: ["StorageAccountAlreadyTaken"],
  },
  "ARO-OIDC-003": {
    title: "the public does not see what was published",
    exit: 1,
    next: ["look for a firewall, private endpoint or proxy before the storage account, then " + runAgain],
    azureCodes: ["AuthorizationFailure"],
  },
  "ARO-OIDC-004": {
    title: "a role has not reached the data in time",
    exit: 1,
    next: ["Azure says that takes 10 minutes at most: " + runAgain],
    azureCodes: ["AuthorizationPermissionMismatch"],
  },
  "ARO-OIDC-005": {
    title: "the issuer's keys cannot be changed so",
    exit: 5,
    next: ["publish the next key with --public-key-file first, wait until no token of the old one is left, then retire that"],
  },
  "ARO-OIDC-006": {
    title: "more than one group holds an issuer of the name",
    exit: 5,
    next: ["name the group of the one that is meant with --oidc-resource-group-name"],
  },
} as const satisfies Record<string, CatalogueEntry>;

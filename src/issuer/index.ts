/** What other features use of issuers. */
export { issuerFiles, writeIssuerFiles } from "./files/issuer-files.js";
export { privateKeyFile, publicKeyOutput } from "./files/key-pair.js";
export { accountPlace, issuerAccount, issuerGroupOf, issuerPlace, issuerSpec } from "./inputs.js";
export { adoptedInUse } from "./removal/ccoctl-identities.js";
export { clustersTrusting } from "./removal/issuer-in-use.js";
export { findIssuer, foreignContentsRefusal, issuerFound, type IssuerInventory, type IssuerPlace } from "./removal/issuer.js";
export { signingKeyIds } from "./signing-key-ids.js";
export type { IssuerOutput } from "./steps/issuer-documents.js";
export { keyPair } from "./steps/key-pair.js";
export { givenKeys, issuerGraph } from "./steps/oidc-issuer.js";
export { accountPolicies, storageAccount } from "./steps/storage-account.js";

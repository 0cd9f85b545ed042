/** What other features use of identity sets. */
export { identitiesOutput, type KnownIdentities } from "./files/identities-output.js";
export { shownSet } from "./documents.js";
export { identityDocument } from "./identity-document.js";
export { earlierIdentities } from "./inputs/earlier-clients.js";
export { existingSet } from "./inputs/existing-set.js";
export { kmsIdentity } from "./inputs/kms-identity.js";
export {
  addOnId,
  infraPlace,
  readManagementCluster,
  requireSamePlace,
  setReader,
  type ManagementClusterFile,
} from "./inputs/management-cluster-file.js";
export { findIdentities, type IdentityInventory } from "./removal/identities.js";
export { identitiesFound } from "./removal/identity-removals.js";
export { createdIdentityFlow } from "./created-identity-flow.js";
export { identityGraph, type DocumentedIdentities, type IdentityContext, type IdentityGraph } from "./steps/identities.js";
export { identityChecks } from "./verify/checks.js";
export { identityVerification } from "./verify-identities.js";
export { identitiesToShow } from "./show-identities.js";

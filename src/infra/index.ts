/** What other features use of the infrastructure. */
export { infraDocument } from "./infra-document.js";
export { clusterInAzure } from "./inputs/cluster-in-azure.js";
export { readIdentities, type Identities } from "./inputs/identities.js";
export { clusterKey, egressOf, infraSpec, infraSpecOfAll, placementChoice } from "./inputs/infra-spec.js";
export { knownCluster } from "./inputs/infra-to-verify.js";
export { keepExisting } from "./inputs/kept-options.js";
export { existingSubscriptions, recall, recordOfInfra, settingsAsFound, withFileRecord, withRecord } from "./inputs/recorded-options.js";
export { requireSameCluster } from "./inputs/same-cluster.js";
export { foreignInUse } from "./removal/foreign-in-use.js";
export { noSuchCluster } from "./removal/not-found.js";
export { removalsOf } from "./removal/removals.js";
export { withReplacedRoles } from "./removal/replaced-roles.js";
export { publicZone } from "./steps/dns.js";
export { infraGraph, type DocumentedSteps } from "./steps/infra.js";
export { otherRange, subnetOf, type NetworkSecurityGroupOutput, writable } from "./steps/network.js";
export { roleHolder, type CreatedIdentities, type RoleHolder } from "./steps/role-assignments.js";

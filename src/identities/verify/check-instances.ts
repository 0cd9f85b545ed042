/** All check instances of the identity flow: the rows of each kind of subject. */
import type { Azure } from "../../azure/azure.js";
import {
  assignedComponents,
  controlPlaneComponents,
  dataPlaneComponents,
  isEnabled,
  type ControlPlaneComponent,
} from "../../domain/components.js";
import { notChecked } from "../../verify/check.js";
import type { CheckInstance } from "../../verify/check-instance.js";
import { group, instancesOf, type Group } from "../../verify/row.js";
import { managementCluster } from "./aks-cluster.js";
import { azureRead } from "./azure-read.js";
import type { IdentityChain } from "./chain.js";
import { inClusterChecks, managementClusterChecks, type identityChecks, type IdentityCheckId } from "./checks.js";
import { groupsOf, roleDangling } from "./dangling.js";
import { federatedSignIn, federation, managedIdentity } from "./data-plane.js";
import { applicationKey, principal, signIn } from "./entra.js";
import { controlPlaneEntry, controlPlaneShape, dataPlaneEntry, dataPlaneShape, entries, vaultReference } from "./file.js";
import { controlPlaneSet, dataPlaneSet } from "./file-set.js";
import { hasKms } from "./file-documents.js";
import { ownEntry, ownIdentity } from "./identity-ownership.js";
import { discovery, issuerAccount, signingKey } from "./issuer.js";
import { kmsAnyRole, kmsKey, kmsRole, kmsRoleMissing, kmsUse } from "./kms.js";
import { podsStart, secretMounted } from "./mounts.js";
import { identityReads, row, type IdentityReads } from "./reads.js";
import { roleAllowed, roleAssigned, roleDefined, roleNameFree } from "./roles.js";
import { secretRows } from "./credential.js";
import { providerClass } from "./secret-provider-classes.js";
import { vaultExists, vaultReachable, vaultReadable } from "./vault.js";
import { addOn, addOnNodes, addOnRole, addOnRotation, operatorEnvironment } from "./vault-addon.js";

const cluster = [{ key: "management cluster" }];

/** The instances, in the order of the report. */
export function identityCheckInstances(azure: Azure, chain: IdentityChain): CheckInstance[] {
  const reads = identityReads(azure, chain);
  const controlPlane = controlPlaneComponents.filter(({ field }) => field !== "kms" || hasKms(chain));
  const assigned = assignedComponents.filter((component) => isEnabled(component, chain.disabledCapabilities));
  return instancesOf(reads, [
    group([{ key: "control plane" }], controlPlaneShape),
    group([{ key: "data plane" }], dataPlaneShape),
    group([{ key: "control plane" }], entries),
    group([{ key: "vault" }], vaultReference),
    group(controlPlane, controlPlaneEntry),
    group(dataPlaneComponents, dataPlaneEntry),
    group([{ key: "vault" }], vaultExists, vaultReachable, vaultReadable),
    group([{ key: "control plane" }], controlPlaneSet),
    group([{ key: "data plane" }], dataPlaneSet),
    group(controlPlane, ownEntry),
    group(dataPlaneComponents, ownIdentity),
    group(controlPlane, ...secretRows),
    group(controlPlane, principal, applicationKey, signIn),
    group([{ key: "issuer" }], discovery, signingKey, issuerAccount),
    group(dataPlaneComponents, managedIdentity, federation, federatedSignIn),
    group(assigned, roleDefined, roleAssigned, roleNameFree, roleAllowed),
    group(groupsOf(reads), roleDangling),
    group(assigned, azureRead),
    group([{ key: "kms" }], ...kmsRows(chain)),
    ...managementClusterGroups(chain, controlPlane),
  ]);
}

/** None if neither the file nor the settings mention KMS. */
function kmsRows(chain: IdentityChain) {
  const isKeyKnown = chain.encryptionKeyId !== undefined;
  if (!hasKms(chain)) return isKeyKnown ? [kmsKey, kmsRoleMissing] : [];
  return [kmsKey, isKeyKnown ? kmsRole : kmsAnyRole, kmsUse];
}

/** Each check is skipped once, not once per component: many skipped lines would hide the components' other results. */
function managementClusterGroups(chain: IdentityChain, controlPlane: readonly ControlPlaneComponent[]): Group<IdentityReads>[] {
  const inAzure = group(cluster, managementCluster, addOn, addOnRotation, addOnRole, addOnNodes);
  if (chain.managementCluster !== undefined)
    return [inAzure, group(cluster, operatorEnvironment), group(controlPlane, providerClass, secretMounted, podsStart)];
  return chain.clusterFile === undefined
    ? [group(cluster, ...skipped(managementClusterChecks))]
    : [inAzure, group(cluster, ...skipped(inClusterChecks))];
}

function skipped(checks: Partial<typeof identityChecks>) {
  return (Object.keys(checks) as IdentityCheckId[]).map((id) => row(id, {}, () => notChecked("--kubeconfig is not specified")));
}

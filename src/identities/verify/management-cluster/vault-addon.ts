/** Checks the AKS add-on that reads the vault on the nodes: it is enabled, rotates secrets, and its identity has a role and is assigned. */
import { advise, aroHcp, shell } from "../../../errors/advice.js";
import type { Vault } from "@azure/arm-keyvault";
import type { Azure } from "../../../azure/azure.js";
import { scaleSetResponse, type AddOnResponse, type AddOnIdentityResponse } from "../../../azure/cluster-responses.js";
import { parseResourceId, sameId } from "../../../domain/resource-id.js";
import { secretsUser } from "../../../domain/roles.js";
import { plural } from "../../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../../verify/check-instance.js";
import { rotationPollMs } from "../../../verify/rotation-poll.js";
import { allowsOnData } from "../../../domain/allowed-actions.js";
import { sameText } from "../../../text/same-text.js";
import type { ClusterFile } from "../chain.js";
import { identityChecks } from "../checks.js";
import { heldRoles } from "../effective-roles.js";
import { aksFlags, enableAddOn, type AksCluster } from "./aks-cluster.js";

const computeVersion = "2024-07-01";
const readSecret = "Microsoft.KeyVault/vaults/secrets/getSecret/action";

/** The enabled add-on. */
export interface AddOn extends AddOnIdentityResponse {
  /** The interval between polls for new versions; undefined if rotation is off. */
  readonly pollMs: number | undefined;
}

export interface AddOnLinks {
  readonly instances: readonly CheckInstance[];
  readonly addOn: CheckInstance<AddOn>;
  /** Checks that must also pass before a pod gets a secret; spread them into the needs. */
  readonly usable: Readonly<Record<"role" | "nodes", CheckInstance>>;
}

export function addOnCheckInstances(
  azure: Azure,
  subject: string,
  cluster: CheckInstance<AksCluster>,
  vault: CheckInstance<Vault>,
  file: ClusterFile | undefined,
): AddOnLinks {
  const addOn = checkInstance(identityChecks["vault-addon"], subject, { cluster }, ({ cluster: aks }) => checkEnabled(aks, file));
  const rotation = checkInstance(
    identityChecks["vault-addon-rotation"],
    subject,
    { cluster, addOn },
    ({ cluster: aks, addOn: { pollMs } }) => checkRotation(aks, pollMs),
  );
  const role = checkInstance(identityChecks["vault-addon-role"], subject, { addOn, vault }, ({ addOn: { objectId }, vault: { id = "" } }) =>
    checkRole(azure, objectId, id),
  );
  const nodes = checkInstance(identityChecks["vault-addon-nodes"], subject, { cluster, addOn }, ({ cluster: aks, addOn: { resourceId } }) =>
    checkNodes(azure, aks, resourceId),
  );
  return { instances: [addOn, rotation, role, nodes], addOn, usable: { role, nodes } };
}

function checkEnabled(cluster: AksCluster, file: ClusterFile | undefined): Finding<AddOn> {
  const { addOn, name } = cluster;
  const identity = addOn?.enabled === true ? addOn.identity : undefined;
  if (addOn === undefined || identity === undefined) {
    return failed(
      `the add-on of AKS cluster ${name} is ${addOn === undefined ? "not installed" : addOn.enabled ? "without an identity" : "disabled"}: no pod can mount secrets there`,
      enableAddOn(cluster),
    );
  }
  if (file !== undefined && !(sameText(identity.clientId, file.addOn.clientId) && sameText(identity.objectId, file.addOn.objectId))) {
    return failed(
      `the add-on of AKS cluster ${name} has identity ${identity.clientId}, object ${identity.objectId}; ${file.path} has ${file.addOn.clientId}, object ${file.addOn.objectId}`,
      advise`write the file again: ${aroHcp("create management-cluster", { name, outputFile: file.path })}; then rerun the commands that it was passed to`,
    );
  }
  return passed(`enabled, with identity ${identity.clientId}`, { ...identity, pollMs: pollMsOf(addOn) });
}

function pollMsOf({ config }: AddOnResponse): number | undefined {
  return rotationPollMs(config?.["enableSecretRotation"], config?.["rotationPollInterval"]);
}

/** Pods read their file every 6 hours; `rotate credentials` removes the old key after 24. */
const longestPollMs = 18 * 3_600_000;

function checkRotation(cluster: AksCluster, pollMs: number | undefined): Finding<unknown> {
  const next = shell`az aks update ${aksFlags(cluster)} --enable-secret-rotation --rotation-poll-interval 2m`;
  if (pollMs === undefined)
    return failed("secret rotation is off: pods keep the old version of a rotated credential until they are recreated", next);
  const minutes = `it polls for new versions every ${plural(pollMs / 60_000, "minute")}`;
  return pollMs <= longestPollMs
    ? passed(minutes)
    : failed(`${minutes}: with the 6 hours that pods take, that exceeds the 24 hours of a rotation`, next);
}

async function checkRole(azure: Azure, objectId: string, vaultId: string): Promise<Finding<unknown>> {
  // A role on a single secret of the vault is not enough.
  const roles = await heldRoles(azure, objectId, vaultId);
  const reads = roles.find((role) => allowsOnData(role.permissions, readSecret));
  if (reads !== undefined) return passed(`${reads.roleName ?? reads.name ?? ""} for object ${objectId}`);
  const has = roles.length === 0 ? "no role" : `only ${roles.map(({ roleName }) => roleName ?? "").join(", ")}`;
  return failed(
    `object ${objectId}, the add-on's identity, has ${has} on the vault: mounts fail with 403 ForbiddenByRbac`,
    advise`${shell`az role assignment create --role ${secretsUser.id} --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --scope ${vaultId}`}; it takes effect after a few minutes`,
  );
}

async function checkNodes(azure: Azure, cluster: AksCluster, identityId: string): Promise<Finding<unknown>> {
  const manager = await azure.manager();
  const path = `${cluster.nodeGroup}/providers/Microsoft.Compute/virtualMachineScaleSets`;
  const scaleSets = await manager.list(path, computeVersion, scaleSetResponse);
  if (scaleSets.length === 0) return notChecked("the nodes are in no scale set; identities of single machines are not checked");
  const without = scaleSets.filter(
    ({ identity }) => !Object.keys(identity?.userAssignedIdentities ?? {}).some((id) => sameId(id, identityId)),
  );
  if (without.length === 0) return passed(`assigned to ${scaleSets.map(({ name }) => name).join(", ")}`);
  return failed(
    `${without.map(({ name }) => name).join(", ")}: identity ${parseResourceId(identityId).name} is not assigned, so mounts there fail with 400 "Identity not found"`,
    advise`let AKS repair its nodes: ${shell`az aks update ${aksFlags(cluster)} --yes`}`,
  );
}

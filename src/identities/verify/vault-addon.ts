/** Rows of the AKS add-on that reads the vault on the nodes, and of the identity in HyperShift's operator. */
import { advise, aroHcp, shell } from "../../errors/advice.js";
import { scaleSetResponse, type AddOnResponse, type AddOnIdentityResponse } from "../../azure/cluster-responses.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import { secretsUser } from "../../domain/roles.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { rotationPollMs } from "../../verify/rotation-poll.js";
import { allowsOnData } from "../../domain/allowed-actions.js";
import { sameText } from "../../text/same-text.js";
import { heldRoles } from "./effective-roles.js";
import { aksFlags, enableAddOn, managementCluster } from "./aks-cluster.js";
import { given } from "../../verify/row.js";
import { row, type IdentityReads } from "./reads.js";
import { vaultExists } from "./vault.js";
import { checkEnvironment, operator } from "../../verify/hypershift-operator.js";

const computeVersion = "2024-07-01";
const readSecret = "Microsoft.KeyVault/vaults/secrets/getSecret/action";

/** The enabled add-on. */
export interface AddOn extends AddOnIdentityResponse {
  /** The interval between polls for new versions; undefined if rotation is off. */
  readonly pollMs: number | undefined;
}

export const addOn = row("vault-addon", { cluster: managementCluster }, ({ cluster }, { chain: { clusterFile: file } }): Finding<AddOn> => {
  const { addOn: found, name } = cluster;
  const identity = found?.enabled === true ? found.identity : undefined;
  if (found === undefined || identity === undefined) {
    return failed(
      `the add-on of AKS cluster ${name} is ${found === undefined ? "not installed" : found.enabled ? "without an identity" : "disabled"}: no pod can mount secrets there`,
      enableAddOn(cluster),
    );
  }
  if (file !== undefined && !(sameText(identity.clientId, file.addOn.clientId) && sameText(identity.objectId, file.addOn.objectId))) {
    return failed(
      `the add-on of AKS cluster ${name} has identity ${identity.clientId}, object ${identity.objectId}; ${file.path} has ${file.addOn.clientId}, object ${file.addOn.objectId}`,
      advise`write the file again: ${aroHcp("create management-cluster", { name, outputFile: file.path })}; then rerun the commands that it was passed to`,
    );
  }
  return passed(`enabled, with identity ${identity.clientId}`, { ...identity, pollMs: pollMsOf(found) });
});

function pollMsOf({ config }: AddOnResponse): number | undefined {
  return rotationPollMs(config?.["enableSecretRotation"], config?.["rotationPollInterval"]);
}

/** Pods read their file every 6 hours; `rotate credentials` removes the old key after 24. */
const longestPollMs = 18 * 3_600_000;

export const addOnRotation = row("vault-addon-rotation", { cluster: managementCluster, addOn }, ({ cluster, addOn: { pollMs } }) => {
  const next = shell`az aks update ${aksFlags(cluster)} --enable-secret-rotation --rotation-poll-interval 2m`;
  if (pollMs === undefined)
    return failed("secret rotation is off: pods keep the old version of a rotated credential until they are recreated", next);
  const minutes = `it polls for new versions every ${plural(pollMs / 60_000, "minute")}`;
  return pollMs <= longestPollMs
    ? passed(minutes)
    : failed(`${minutes}: with the 6 hours that pods take, that exceeds the 24 hours of a rotation`, next);
});

export const addOnRole = row("vault-addon-role", { addOn, vault: vaultExists }, async ({ addOn: { objectId }, vault }, { azure }) => {
  const { id: vaultId = "" } = vault;
  // A role on a single secret of the vault is not enough.
  const roles = await heldRoles(azure, objectId, vaultId);
  const reads = roles.find((role) => allowsOnData(role.permissions, readSecret));
  if (reads !== undefined) return passed(`${reads.roleName ?? reads.name ?? ""} for object ${objectId}`);
  const has = roles.length === 0 ? "no role" : `only ${roles.map(({ roleName }) => roleName ?? "").join(", ")}`;
  return failed(
    `object ${objectId}, the add-on's identity, has ${has} on the vault: mounts fail with 403 ForbiddenByRbac`,
    advise`${shell`az role assignment create --role ${secretsUser.id} --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --scope ${vaultId}`}; it takes effect after a few minutes`,
  );
});

export const addOnNodes = row(
  "vault-addon-nodes",
  { cluster: managementCluster, addOn },
  async ({ cluster, addOn: identity }, { azure }) => {
    const manager = await azure.manager();
    const path = `${cluster.nodeGroup}/providers/Microsoft.Compute/virtualMachineScaleSets`;
    const scaleSets = await manager.list(path, computeVersion, scaleSetResponse);
    if (scaleSets.length === 0) return notChecked("the nodes are in no scale set; identities of single machines are not checked");
    const without = scaleSets.filter(
      (one) => !Object.keys(one.identity?.userAssignedIdentities ?? {}).some((id) => sameId(id, identity.resourceId)),
    );
    if (without.length === 0) return passed(`assigned to ${scaleSets.map(({ name }) => name).join(", ")}`);
    return failed(
      `${without.map(({ name }) => name).join(", ")}: identity ${parseResourceId(identity.resourceId).name} is not assigned, so mounts there fail with 400 "Identity not found"`,
      advise`let AKS repair its nodes: ${shell`az aks update ${aksFlags(cluster)} --yes`}`,
    );
  },
);

const kubernetes = given(({ chain }: IdentityReads) => chain.managementCluster?.kubernetes, "--kubeconfig is not specified");

/** Its output is the client ID that the operator writes into the classes. */
export const operatorEnvironment = row("operator-environment", { addOn, kubernetes }, async ({ addOn: { clientId }, kubernetes: api }) =>
  checkEnvironment(await api.deployment(operator.namespace, operator.name), clientId, api.kubeconfig),
);

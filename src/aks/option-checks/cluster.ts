/** Checks of the settings of management clusters and service clusters: names, agent pools, IP tags, identities and ingress. */
import { aksKindOf, kindFacts } from "../../domain/cluster-kind.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { chosenPools, chosenTags } from "../domain/choices.js";
import { clusterLabel } from "../../domain/cluster-label.js";
import { vaultKeyProblem } from "../../domain/encryption-key.js";
import { nameProblem } from "../../domain/name-rules.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import { definesCluster } from "./input.js";
import type { Check } from "../../settings/option-check.js";
import { readId } from "../../settings/network-checks.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The file of a cluster has its name. */
export const checkAksCluster: Check = ({ command, values, problem }) => {
  const kind = aksKindOf(command);
  if (kind === undefined || command.startsWith("create ")) return;
  const [key, flag] =
    kind === "management-cluster"
      ? (["managementClusterFile", "--management-cluster-file"] as const)
      : (["serviceClusterFile", "--service-cluster-file"] as const);
  if (values.name === undefined && values[key] === undefined)
    problem("name", command.startsWith("doctor ") ? "is required" : `is required without ${flag}`);
};

/** Names of valid lengths can still make names that are too long. */
export const checkAksNames: Check = ({ command, values, problem }) => {
  const kind = aksKindOf(command);
  const { name, resourceGroupName, nodeResourceGroupName, vnetId, nodeSubnetId } = values;
  if (kind === undefined) return;
  if (nodeResourceGroupName !== undefined) {
    const wrong = nameProblem("resourceGroup", nodeResourceGroupName);
    if (wrong !== undefined) problem("nodeResourceGroupName", wrong);
    else if (nodeResourceGroupName.length > 80) problem("nodeResourceGroupName", "has more than the 80 characters that AKS accepts");
  }
  if (name === undefined || !clusterLabel.test(name)) return;
  const names = aksClusterNames({ kind, name }, "");
  if (sameText(nodeResourceGroupName, resourceGroupName ?? names.group))
    problem("nodeResourceGroupName", "is the resource group of the cluster itself; AKS creates another one for the nodes");
  // AKS copies the tags of the cluster to it, and with this name it would look like the cluster's own group.
  else if (sameText(nodeResourceGroupName, names.group))
    problem("nodeResourceGroupName", "is the name of the cluster, whose own resource group would have it; choose another one");
  const wrong = vnetId === undefined && nodeSubnetId === undefined ? nameProblem("virtualNetwork", names.vnet) : undefined;
  if (wrong !== undefined) problem("name", wrong);
};

export const checkAksFeatures: Check = ({ command, values, given, problem, notice }) => {
  const kind = aksKindOf(command);
  if (kind === undefined || !definesCluster(values)) return;
  const { clusterType, kubernetesVersion, preset, adminGroupId = [], etcdKeyId } = values;
  const { label, type } = kindFacts[kind];
  if (clusterType !== undefined && clusterType !== type)
    problem("clusterType", `"${clusterType}" is not the type of a ${label}; omit it, or pass ${type}`);
  if (kubernetesVersion !== undefined && !/^\d+\.\d+(?:\.\d+)?$/.test(kubernetesVersion)) {
    const plain = kubernetesVersion.replace(/^v/, "");
    const suggestion =
      plain !== kubernetesVersion && /^\d+\.\d+(?:\.\d+)?$/.test(plain) ? `; did you mean "${plain}"?` : ", such as 1.33 or 1.33.2";
    problem("kubernetesVersion", `"${kubernetesVersion}" is not a Kubernetes version${suggestion}`);
  }
  for (const id of adminGroupId)
    if (!uuid.test(id)) problem("adminGroupId", `"${id}" is not a UUID: expected the object ID of a group, not its name`);
  const wrongKey = etcdKeyId === undefined ? undefined : vaultKeyProblem(etcdKeyId);
  if (wrongKey !== undefined) problem("etcdKeyId", wrongKey);
  for (const { key, message } of chosenPools(kind, values).problems) problem(key, message);
  const hasNoVault = etcdKeyId !== undefined || (given("preset") && preset !== "production");
  if (values.purgeProtection === true && hasNoVault)
    notice("--purge-protection has no effect: no Key Vault is created for the key of etcd");
  if (preset === "production" && adminGroupId.length === 0 && command.startsWith("create ")) {
    notice(
      `no --admin-group-id is set: after the creation, only principals with an Azure RBAC role for AKS on the ${label} can sign in to it`,
    );
  }
};

export const checkAksAddresses: Check = ({ command, values, given, problem, incomplete }) => {
  const kind = aksKindOf(command);
  if (kind === undefined || !definesCluster(values)) return;
  const { environment, egressIpTags, ingressIpTags, outboundIpId, ingressAddress } = values;
  const hasIngress = kind === "service-cluster" || ingressAddress === true;
  if (outboundIpId !== undefined && given("egressIpTags"))
    problem("egressIpTags", "cannot be combined with --outbound-ip-id: an existing address keeps its own IP tags");
  if (!hasIngress && given("ingressIpTags"))
    incomplete("ingressIpTags", "requires --ingress-address: without it, Kubernetes creates the address of the shared ingress");
  const choice = { environment, egressIpTags, ingressIpTags, hasEgress: outboundIpId === undefined, hasIngress };
  for (const { key, message } of chosenTags(kind, choice).problems) problem(key, message);
};

const { keyVault, managedIdentity, containerRegistry } = resourceTypes;
const identifiedTypes = {
  clusterIdentityId: managedIdentity.type,
  kubeletIdentityId: managedIdentity.type,
  keyVaultId: keyVault.type,
  registryId: containerRegistry.type,
} as const;

/** These may be in another subscription. */
export const checkAksIds: Check = ({ command, values, problem }) => {
  if (aksKindOf(command) === undefined) return;
  for (const [key, type] of Object.entries(identifiedTypes) as [keyof typeof identifiedTypes, string][]) {
    for (const text of [values[key] ?? []].flat()) {
      const id = readId(text, type);
      if (typeof id === "string") problem(key, id);
    }
  }
};

const serviceTag = /^[A-Za-z]\w*(?:\.\w+)?$/;

export const checkAksIngress: Check = ({ values, problem }) => {
  const { istioRevision = [] } = values;
  for (const key of ["genevaServiceTag", "sreServiceTag"] as const) {
    const tag = values[key];
    if (tag !== undefined && !serviceTag.test(tag)) problem(key, `"${tag}" is not the name of a service tag, such as CorpNetSaw`);
  }
  const wrong = istioRevision.find((revision) => !/^asm-\d+-\d+$/.test(revision));
  if (wrong !== undefined) problem("istioRevision", `"${wrong}" is not a revision of the add-on, such as asm-1-27`);
  if (istioRevision.length > 2) problem("istioRevision", "has more than 2 revisions; AKS runs 2 during an upgrade");
};

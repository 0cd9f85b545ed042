/** What AKS requires of a cluster before it accepts a PUT: members that go together, and members that cannot change. */
import type { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { operationOn } from "../../operations.js";
import { keyOf, nameOf, segmentsOf } from "../../resource-id.js";
import type { Put } from "../../resource-type.js";
import { childrenOf } from "../../uses.js";
import type { ClusterBody } from "./cluster-body.js";
import { allPools, recordOf, type WantedCluster } from "./cluster-state.js";
import { checkPool, checkSent, noSystemPool, requireUnchanged } from "./pool-rules.js";
import { changeNotAllowed, inProgress, refusal, stopped } from "./provider.js";

/** @throws ApiError 409 while the cluster or one of its pools is written */
export function requireIdle(state: AzureState, cluster: StoredResource): void {
  const running = [cluster, ...childrenOf(state, cluster.id, "agentPools")].flatMap(({ id }) => operationOn(state, id) ?? [])[0];
  if (running !== undefined) throw inProgress(running.name);
}

/** @throws ApiError 409 while another write runs, 400 of a stopped cluster. */
export function requireWritable({ state, existing }: Pick<Put<ClusterBody>, "state" | "existing">): void {
  if (existing === undefined) return;
  requireIdle(state, existing);
  if (recordOf(existing).powerState.code === "Stopped") throw stopped(existing.id);
}

export function checkCluster(put: Put<ClusterBody>, wanted: WantedCluster): void {
  const { state, id, body, existing } = put;
  const { properties } = body;
  if (existing === undefined && properties.dnsPrefix === undefined && properties.fqdnSubdomain === undefined) throw missing("dnsPrefix");
  for (const pool of wanted.pools) {
    if (pool.before !== undefined) requireUnchanged(pool.sent, pool.before, "agentPoolProfile");
    checkSent(pool.sent, pool.before);
    checkPool(pool.properties);
  }
  if (!allPools(state, existing?.id ?? id, wanted.pools).some((pool) => pool.properties.mode === "System")) throw noSystemPool();
  requireFixed(put);
  checkTogether(put, wanted);
}

function missing(parameter: string): ApiError {
  return refusal(400, "InvalidParameter", `Required parameter ${parameter} is missing (null).`, parameter);
}

const fixed = ["dnsPrefix", "fqdnSubdomain", "nodeResourceGroup", "enableRBAC", "diskEncryptionSetID"] as const;
const fixedOfNetwork = ["networkPlugin", "serviceCidr", "dnsServiceIP", "loadBalancerSku"] as const;

function requireFixed({ body: { properties: sent }, existing }: Put<ClusterBody>): void {
  if (existing === undefined) return;
  const { properties: before } = existing;
  for (const member of fixed) requireSame(member, sent[member], before[member]);
  requireSame("servicePrincipalProfile.clientId", sent.servicePrincipalProfile?.clientId, clientIdIn(before));
  const { networkProfile } = recordOf(existing);
  for (const member of fixedOfNetwork) {
    requireSame(`networkProfile.${member}`, sent.networkProfile?.[member], networkProfile[member]);
  }
  const { networkPluginMode: mode } = networkProfile;
  if (mode === "overlay" && sent.networkProfile?.podCidr !== undefined) {
    requireSame("networkProfile.podCidr", sent.networkProfile.podCidr, networkProfile.podCidr);
  }
  if (sent.oidcIssuerProfile?.enabled === false && recordOf(existing).oidcIssuerProfile.enabled) {
    throw refusal(400, "OIDCIssuerFeatureCannotBeDisabled", "OIDC issuer feature cannot be disabled.");
  }
}

function clientIdIn(properties: Readonly<Record<string, unknown>>): unknown {
  return (properties["servicePrincipalProfile"] as { readonly clientId?: string } | undefined)?.clientId;
}

/** What a body omits stays as it is. */
function requireSame(target: string, sent: unknown, before: unknown): void {
  const text = (value: unknown) => (typeof value === "string" ? keyOf(value) : value);
  if (sent !== undefined && text(sent) !== text(before)) throw changeNotAllowed(target);
}

function checkTogether({ body, existing }: Put<ClusterBody>, { plan }: WantedCluster): void {
  const { properties } = body;
  const before = existing?.properties as Partial<ClusterBody["properties"]> | undefined;
  const entra = properties.aadProfile ?? before?.aadProfile;
  if ((properties.disableLocalAccounts ?? before?.disableLocalAccounts) === true && entra?.managed !== true) {
    throw refusal(400, "BadRequest", "DisableLocalAccounts is only supported on clusters with AKS-managed Microsoft Entra integration.");
  }
  if (entra?.enableAzureRBAC === true && (properties.enableRBAC ?? before?.enableRBAC) === false) {
    throw refusal(400, "BadRequest", "Azure RBAC for Kubernetes authorization requires Kubernetes RBAC to be enabled.");
  }
  const workload = properties.securityProfile?.workloadIdentity ?? before?.securityProfile?.workloadIdentity;
  const issuer = properties.oidcIssuerProfile ?? before?.oidcIssuerProfile;
  if (workload?.enabled === true && issuer?.enabled === false) {
    throw refusal(400, "BadRequest", "Workload identity requires the OIDC issuer to be enabled.");
  }
  const { tier } = body.sku ?? (existing?.beside?.["sku"] as ClusterBody["sku"]) ?? { tier: "Free" };
  if (plan === "AKSLongTermSupport" && tier !== "Premium") {
    throw refusal(400, "BadRequest", "Long term support requires the sku tier Premium.");
  }
}

/** @throws ApiError if another cluster, or somebody else, has the group. */
export function requireFreeNodeGroup({ state, existing, id }: Put<ClusterBody>, group: string): void {
  if (existing !== undefined) return;
  if (keyOf(segmentsOf(id)[3] ?? "") === keyOf(nameOf(group))) {
    throw refusal(400, "NodeResourceGroupSameAsResourceGroup", "The node resource group must not be the resource group of the cluster.");
  }
  if (state.resources[keyOf(group)] === undefined) return;
  throw refusal(
    409,
    "NodeResourceGroupAlreadyExists",
    `The node resource group '${nameOf(group)}' already exists. Choose another with nodeResourceGroup.`,
  );
}

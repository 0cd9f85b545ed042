/** The kubeconfigs of AKS clusters. They name a host that does not exist, because no API server runs behind a cluster. */
import { ApiError, type Answer } from "../../../service.js";
import { requireRight } from "../../authorization-check.js";
import { findGroup, findSubscription } from "../../containers.js";
import type { Endpoint, Parameters } from "../../endpoint.js";
import { resourceNotFound } from "../../errors.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { aksVersions } from "./provider.js";

const clusterType = "Microsoft.ContainerService/managedClusters";
const clusterPath = `/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/${clusterType}/{cluster}`;

/** By action: the user that the kubeconfig names. */
const users = {
  listClusterAdminCredential: "clusterAdmin",
  listClusterUserCredential: "clusterUser",
  listClusterMonitoringUserCredential: "clusterMonitoringUser",
} as const;

export const credentialEndpoints: readonly Endpoint[] = Object.entries(users).map(([action, user]) => ({
  method: "POST",
  path: `${clusterPath}/${action}`,
  versions: aksVersions,
  handle: (call, parameters) => list(call, parameters, action, user),
}));

function list(call: ArmCall, { subscriptionId = "", group = "", cluster = "" }: Parameters, action: string, user: string): Answer {
  const id = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/${clusterType}/${cluster}`;
  findSubscription(call, subscriptionId);
  requireRight(call, `${clusterType}/${action}/action`, id);
  const { name } = findGroup(call, subscriptionId, group);
  const found = call.state.resources[keyOf(id)];
  if (found === undefined) throw resourceNotFound(`${clusterType}/${cluster}`, name);
  if (user === "clusterAdmin" && found.properties["disableLocalAccounts"] === true) {
    throw new ApiError(
      400,
      "BadRequest",
      "Getting static credential is not allowed because this cluster is set to disable local accounts.",
    );
  }
  const value = Buffer.from(kubeconfig(found.name, `${user}_${name}_${found.name}`)).toString("base64");
  return { status: 200, body: { kubeconfigs: [{ name: user, value }] }, takes: call.sample("read") };
}

function kubeconfig(cluster: string, user: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- cluster:
    server: https://${cluster}.emulated-without-api-server.invalid:443
  name: ${cluster}
contexts:
- context:
    cluster: ${cluster}
    user: ${user}
  name: ${cluster}
current-context: ${cluster}
users:
- name: ${user}
  user:
    token: none-because-the-cluster-is-emulated
`;
}

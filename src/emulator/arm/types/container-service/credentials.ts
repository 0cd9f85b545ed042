/** The kubeconfigs of AKS clusters: with a token, or for kubelogin if the cluster signs in with Microsoft Entra ID. */
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import type { Endpoint } from "../../endpoint.js";
import { segmentsOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { clusterEndpoint } from "./cluster-endpoint.js";
import { recordOf } from "./cluster-state.js";
import { kubeconfig } from "./kubeconfig.js";
import { refusal } from "./provider.js";

/** By action: the user that the kubeconfig names. */
const users = {
  listClusterAdminCredential: "clusterAdmin",
  listClusterUserCredential: "clusterUser",
  listClusterMonitoringUserCredential: "clusterMonitoringUser",
} as const;

export const credentialEndpoints: readonly Endpoint[] = Object.entries(users).map(([action, user]) =>
  clusterEndpoint("POST", action, `${action}/action`, (call, cluster) => list(call, cluster, user)),
);

function list(call: ArmCall, cluster: StoredResource, user: string): Answer {
  const { disableLocalAccounts, aadProfile } = recordOf(cluster);
  const hasEntra = aadProfile?.managed === true && user === "clusterUser";
  if (disableLocalAccounts === true && !hasEntra) {
    throw refusal(400, "BadRequest", "Getting static credential is not allowed because this cluster is set to disable local accounts.");
  }
  const group = segmentsOf(cluster.id)[3] ?? "";
  const config = kubeconfig({
    cluster: cluster.name,
    user: `${user}_${group}_${cluster.name}`,
    apiServer: call.state.knobs?.apiServer,
    tenantId: hasEntra ? (aadProfile.tenantID ?? call.state.tenantId) : undefined,
    format: call.request.query.get("format"),
  });
  const value = Buffer.from(config).toString("base64");
  return { status: 200, body: { kubeconfigs: [{ name: user, value }] }, takes: call.sample("read") };
}

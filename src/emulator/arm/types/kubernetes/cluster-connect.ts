/** Cluster connect: the kubeconfig of a connected cluster, and the relay of its requests. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { ApiError, type Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { ofResource } from "../../endpoint.js";
import { readContent } from "../../body-schema.js";
import { keyOf, segmentsOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { kubeconfig } from "../container-service/kubeconfig.js";
import { agentsOf, connectivity } from "./agents.js";
import { connectedClusterType, connectedClusterVersions } from "./connected-clusters.js";

const body = z.object({ authenticationMethod: z.enum(["Token", "AAD"]), clientProxy: z.boolean() });
const relaySeconds = 3 * 3600;

export const clusterConnectEndpoint = ofResource({
  method: "POST",
  type: connectedClusterType,
  path: "listClusterUserCredential",
  versions: connectedClusterVersions,
  right: "listClusterUserCredential/action",
  handle: list,
});

function list(call: ArmCall, found: StoredResource): Answer {
  const { state, now, request } = call;
  const { authenticationMethod, clientProxy } = readContent(body, request.body, connectedClusterType);
  const status = connectivity(agentsOf(found), call);
  if (status !== "Connected") {
    throw new ApiError(400, "ClusterNotConnected", `The cluster '${found.name}' is not connected: its connectivity status is '${status}'.`);
  }
  const config = kubeconfig({
    cluster: found.name,
    user: `clusterUser_${segmentsOf(found.id)[3] ?? ""}_${found.name}`,
    apiServer: state.knobs?.apiServer,
    tenantId: authenticationMethod === "AAD" ? state.tenantId : undefined,
    format: "exec",
  });
  const hash = createHash("sha256").update(keyOf(found.id)).digest("hex");
  const expires = Math.floor((now + call.milliseconds(relaySeconds)) / 1000);
  const hybridConnectionConfig = {
    expirationTime: expires,
    hybridConnectionName: `microsoft.kubernetes/connectedclusters/${hash}/${String(now)}`,
    relay: "emulated-relay",
    token: `SharedAccessSignature sr=emulated-relay&sig=${createHash("sha256")
      .update(`${state.tokenKey} ${hash} ${String(expires)}`)
      .digest("base64url")}&se=${String(expires)}`,
  };
  return {
    status: 200,
    body: {
      ...(clientProxy && { hybridConnectionConfig }),
      kubeconfigs: [{ name: "clusterUser", value: Buffer.from(config).toString("base64") }],
    },
    takes: call.sample("read"),
  };
}

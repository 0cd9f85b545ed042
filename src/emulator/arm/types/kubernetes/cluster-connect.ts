/** `listClusterUserCredential`: the kubeconfig of a connected cluster, and the relay that a client's proxy passes its requests to. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { ApiError, type Answer } from "../../../core/service.js";
import { requireRight } from "../../authorization-check.js";
import { findGroup, findSubscription } from "../../scopes.js";
import type { Endpoint, Parameters } from "../../endpoint.js";
import { resourceNotFound } from "../../errors.js";
import { readContent } from "../../body-schema.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { kubeconfig } from "../container-service/kubeconfig.js";
import { agentsOf, connectivity } from "./agents.js";
import { connectedClusterType, connectedClusterVersions } from "./connected-clusters.js";

const body = z.object({ authenticationMethod: z.enum(["Token", "AAD"]), clientProxy: z.boolean() });
const relaySeconds = 3 * 3600;

export const clusterConnectEndpoint: Endpoint = {
  method: "POST",
  path: `/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/${connectedClusterType}/{cluster}/listClusterUserCredential`,
  versions: connectedClusterVersions,
  handle: list,
};

function list(call: ArmCall, { subscriptionId = "", group = "", cluster = "" }: Parameters): Answer {
  const { state, now, request } = call;
  findSubscription(call, subscriptionId);
  const id = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/${connectedClusterType}/${cluster}`;
  requireRight(call, `${connectedClusterType}/listClusterUserCredential/action`, id);
  const { name } = findGroup(call, subscriptionId, group);
  const found = state.resources[keyOf(id)];
  if (found === undefined) throw resourceNotFound(`${connectedClusterType}/${cluster}`, name);
  const { authenticationMethod, clientProxy } = readContent(body, request.body, connectedClusterType);
  const status = connectivity(agentsOf(found), call);
  if (status !== "Connected") {
    throw new ApiError(400, "ClusterNotConnected", `The cluster '${found.name}' is not connected: its connectivity status is '${status}'.`);
  }
  const config = kubeconfig({
    cluster: found.name,
    user: `clusterUser_${name}_${found.name}`,
    apiServer: state.knobs?.apiServer,
    tenantId: authenticationMethod === "AAD" ? state.tenantId : undefined,
    format: "exec",
  });
  const hash = createHash("sha256").update(keyOf(id)).digest("hex");
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

/** `LOCATION.arc-agents.invalid`: the host to which the agents of a connected cluster report. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { errors, jwtVerify } from "jose";
import { z } from "zod";
import { operationOn, advance } from "../../arm/operations.js";
import { readContent } from "../../arm/body-schema.js";
import { keyOf } from "../../arm/resource-id.js";
import { agentsOf, certificateExpiry, connectivity, type AgentRecord } from "../../arm/types/kubernetes/agents.js";
import { connectedClusterType } from "../../arm/types/kubernetes/connected-clusters.js";
import { agentTimeoutSeconds, noAgents, extensionsOf, installation } from "../../arm/types/kubernetes-configuration/extensions.js";
import { emulatedTypes } from "../../arm/types/index.js";
import { ApiError, type Answer, type Asking, type Call, type Service, notImplemented } from "../../core/service.js";
import type { StoredResource } from "../../state/state.js";

const suffix = ".arc-agents.invalid";

const report = z.discriminatedUnion("state", [
  z.strictObject({
    state: z.literal("running"),
    agentVersion: z.string(),
    kubernetesVersion: z.string(),
    totalNodeCount: z.int().min(0),
    totalCoreCount: z.int().min(0),
    helmErrors: z.record(z.string(), z.string()).default({}),
    violations: z.record(z.string(), z.int().min(0)).default({}),
  }),
  z.strictObject({ state: z.literal("stopped") }),
]);

/**
 * The protocol of real agents is not public, so the form is the emulator's own. The proof is real: a token signed with the cluster's
 * private key.
 */
export const arcAgentService: Service = {
  hosts: (host) => host.endsWith(suffix),
  async identify(asking) {
    advance({ ...asking, types: emulatedTypes });
    await verify(clusterOf(asking), asking.request.headers["authorization"], asking.now);
    return undefined;
  },
  handle(call) {
    const { request } = call;
    const cluster = clusterOf(call);
    const sent = readContent(report, request.body, connectedClusterType);
    const before = agentsOf(cluster);
    if (connectivity(before, call) === "Expired") throw refused("The certificate of the cluster's identity has expired: connect it again.");
    if (sent.state === "stopped") stop(call, cluster, before);
    else {
      const { state: _running, ...facts } = sent;
      startAgents(call, cluster, facts);
    }
    return answer(call, cluster);
  },
};

/** The cluster in the path. @throws ApiError 404, 501 */
function clusterOf({ request, state }: Asking): StoredResource {
  if (request.method !== "POST") throw notImplemented(`${request.method} https://${request.host} is not emulated.`);
  const cluster = state.resources[keyOf(`/${request.path.join("/")}`)];
  if (cluster !== undefined && keyOf(cluster.type) === keyOf(connectedClusterType)) return cluster;
  throw new ApiError(404, "ResourceNotFound", "There is no such connected cluster.");
}

/** @throws ApiError 401 unless the token names the cluster and is signed with its key */
async function verify(cluster: StoredResource, authorization: string | undefined, now: number): Promise<void> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (token === undefined) throw refused("The report is not signed.");
  try {
    const { payload } = await jwtVerify(token, publicKeyOf(cluster), { algorithms: ["RS256"], currentDate: new Date(now) });
    if (keyOf(payload.sub ?? "") !== keyOf(cluster.id)) throw refused("The token names another cluster.");
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw refused("The report is not signed with the key of the cluster.");
  }
}

function publicKeyOf({ properties }: StoredResource): KeyObject {
  try {
    const key = Buffer.from(String(properties["agentPublicKeyCertificate"]), "base64");
    return createPublicKey({ key, format: "der", type: "pkcs1" });
  } catch {
    throw refused("The public key of the cluster is not the DER of a PKCS#1 key.");
  }
}

function refused(message: string): ApiError {
  return new ApiError(401, "Unauthorized", message);
}

/** They report from now on: what hangs is installed. Agents that were only restarted keep their certificate. */
export function startAgents(call: AgentCall, cluster: StoredResource, sent: Omit<AgentRecord, "startedAt" | "stoppedAt">): void {
  const before = agentsOf(cluster);
  const lower = <Value>(held: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(held).map(([name, value]) => [keyOf(name), value]));
  cluster.properties["agents"] = {
    ...sent,
    startedAt: before?.startedAt ?? call.now,
    helmErrors: lower(sent.helmErrors),
    violations: lower(sent.violations),
  } satisfies AgentRecord;
  if (before !== undefined && before.stoppedAt === undefined) return;
  for (const extension of extensionsOf(call.state, cluster.id)) {
    const operation = operationOn(call.state, extension.id);
    if (operation === undefined) continue;
    operation.readyAt = call.now + call.milliseconds(call.sample(operation.kind === "put" ? "arcExtension.put" : "arcExtension.delete"));
    const failure = operation.kind === "put" ? installation(cluster, String(extension.properties["extensionType"]), "Create") : undefined;
    delete operation.error;
    if (failure !== undefined) operation.error = { ...failure };
  }
}

type AgentCall = Pick<Call, "state" | "now" | "sample" | "milliseconds">;

/** What was being installed hangs from now on. */
function stop(call: Call, cluster: StoredResource, before: AgentRecord | undefined): void {
  if (before === undefined || before.stoppedAt !== undefined) return;
  cluster.properties["agents"] = { ...before, stoppedAt: call.now } satisfies AgentRecord;
  for (const extension of extensionsOf(call.state, cluster.id)) {
    const operation = operationOn(call.state, extension.id);
    if (operation === undefined || extension.properties["isForced"] === true) continue;
    operation.readyAt = operation.startedAt + call.milliseconds(agentTimeoutSeconds);
    if (operation.kind === "put") operation.error = { ...noAgents() };
  }
}

/** What the agents then install, and until when their certificate is valid. */
function answer(call: Call, cluster: StoredResource): Answer {
  const agents = agentsOf(cluster);
  return {
    status: 200,
    body: {
      identity: cluster.beside?.["identity"],
      ...(agents && { certificateExpires: new Date(certificateExpiry(agents, call)).toISOString() }),
      extensions: extensionsOf(call.state, cluster.id).map(({ name, properties }) => ({
        name,
        extensionType: properties["extensionType"],
        scope: properties["scope"],
        configurationSettings: properties["configurationSettings"],
      })),
    },
    takes: call.sample("read"),
  };
}

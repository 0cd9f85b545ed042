/** Extensions of connected clusters: written through Azure, and installed by the cluster's agents, if these run. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { versionsOf } from "../../api-versions.js";
import { resourcesWithin } from "../../indexes.js";
import { keyOf } from "../../resource-id.js";
import { removeTree } from "../../removal.js";
import { defineType, type ArmCall, type OperationError } from "../../resource-type.js";
import { type LongRunning } from "../../long-running.js";
import { known } from "../../body-schema.js";
import { parentResource } from "../../uses.js";
import { agentsOf, areRunning } from "../kubernetes/agents.js";
import { connectedClusterType } from "../kubernetes/connected-clusters.js";

const extensionType = "Microsoft.KubernetesConfiguration/extensions";

/** The newest version of each train that the emulated catalogue of extension types has. */
const newest: Readonly<Record<string, string>> = {
  "microsoft.azurekeyvaultsecretsprovider": "1.7.2",
  "microsoft.policyinsights": "1.9.1",
};
const otherVersion = "1.0.0";

const settings = z.record(z.string(), z.string()).optional();
const changeable = {
  autoUpgradeMinorVersion: z.boolean().optional(),
  releaseTrain: z.string().optional(),
  version: z.string().optional(),
  configurationSettings: settings,
  configurationProtectedSettings: settings,
};

const extensionBody = known(
  {
    identity: known({ type: z.literal("SystemAssigned") }, ["principalId", "tenantId"]).optional(),
    properties: known(
      {
        extensionType: z.string(),
        ...changeable,
        scope: known({
          cluster: known({ releaseNamespace: z.string().optional() }).optional(),
          namespace: known({ targetNamespace: z.string().optional() }).optional(),
        }).optional(),
      },
      [
        "aksAssignedIdentity",
        "currentVersion",
        "customLocationSettings",
        "errorInfo",
        "isSystemExtension",
        "packageUri",
        "provisioningState",
        "statuses",
      ],
    ),
  },
  ["id", "name", "plan", "systemData", "type"],
);

type ExtensionBody = z.output<typeof extensionBody>;
type Properties = ExtensionBody["properties"];

const at = { under: "resource", status: "operations", result: "operations", runningStatus: 200, identified: true } as const;

function operation(name: string): LongRunning {
  return { operation: name, answers: "resource", headers: ["azure-asyncoperation"], pollRetryAfter: [], at };
}

export const extensions = defineType<ExtensionBody>({
  name: extensionType,
  apiVersions: versionsOf("Microsoft.KubernetesConfiguration/extensions", { from: "2022-03-01" }),
  verbs: ["read", "write", "tags", "delete"],
  kind: "proxy",
  systemData: true,
  namePattern: /^[a-zA-Z0-9][a-zA-Z0-9-.]{0,252}$/,
  nameRule: "It must have 1 to 253 letters, digits, '-' or '.', and begin with a letter or digit.",
  body: extensionBody,
  latency: { put: "arcExtension.put", delete: "arcExtension.delete" },
  put: operation("PutExtension"),
  delete: operation("DeleteExtension"),
  lock: { on: "self", second: "supersede" },
  busyStates: { creating: "Creating", updating: "Updating" },
  patchLikePut: true,
  checkPut({ state, id, body: { properties: sent }, existing }) {
    requireCluster(state, id);
    if (existing !== undefined) requireUnchanged(sent, existing.properties as unknown as Properties);
    // The stored version comes with a patch that only turns upgrades on, as `az k8s-extension update --auto-upgrade true` does.
    const isKept = existing?.properties["version"] === sent.version;
    if (sent.version !== undefined && sent.autoUpgradeMinorVersion !== false && !isKept) {
      throw badRequest("Version cannot be specified when AutoUpgradeMinorVersion is true.");
    }
    const both = sent.scope?.cluster !== undefined && sent.scope.namespace !== undefined;
    if (both) throw badRequest("Extension scope cannot be both cluster and namespace.");
    const same = instanceOf(state, id, sent.extensionType);
    if (same !== undefined) {
      throw new ApiError(
        409,
        "Conflict",
        `Only one instance of extension type '${sent.extensionType}' is allowed on a cluster: '${same.name}' exists already.`,
      );
    }
  },
  putFailure: ({ state, id, body, existing }) =>
    installation(parentResource(state, id), body.properties.extensionType, existing === undefined ? "Create" : "Update"),
  putSeconds: ({ state, id }) => (areRunning(parentResource(state, id)) ? undefined : agentTimeoutSeconds),
  deleteSeconds(call, extension) {
    extension.properties["isForced"] = isForced(call);
    const isAnswered = isForced(call) || areRunning(parentResource(call.state, extension.id));
    return isAnswered ? call.sample("arcExtension.delete") : agentTimeoutSeconds;
  },
  removeAtEnd({ state }, extension) {
    if (extension.properties["isForced"] !== true && !areRunning(parentResource(state, extension.id))) {
      extension.properties["provisioningState"] = "Failed";
      return noAgents();
    }
    removeTree(state, extension.id);
    return undefined;
  },
  storedProperties({ body: { properties: sent }, existing }) {
    const before = existing?.properties as Properties | undefined;
    const { autoUpgradeMinorVersion = true, releaseTrain = before?.releaseTrain ?? "Stable" } = sent;
    const scope = sent.scope ?? before?.scope ?? { cluster: { releaseNamespace: sent.extensionType.toLowerCase() } };
    return {
      extensionType: before?.extensionType ?? sent.extensionType,
      autoUpgradeMinorVersion,
      releaseTrain,
      version: autoUpgradeMinorVersion ? null : (sent.version ?? null),
      scope: { cluster: null, namespace: null, ...scope },
      configurationSettings: sent.configurationSettings ?? {},
      currentVersion: existing?.properties["currentVersion"] ?? null,
      isSystemExtension: false,
    };
  },
  storedMembers({ identity }, { state, call, existing }) {
    const before = existing?.beside?.["identity"] as { principalId: string } | undefined;
    if (identity === undefined) return before === undefined ? {} : { identity: before };
    return { identity: { type: identity.type, principalId: before?.principalId ?? call.uuid(), tenantId: state.tenantId } };
  },
  // Protected settings never come back, so they are not stored either.
  presentedProperties(state, { id, properties: { isForced: _forced, ...properties } }) {
    const cluster = parentResource(state, id);
    const isFailed = properties["provisioningState"] === "Failed";
    const failure = isFailed ? (installation(cluster, String(properties["extensionType"]), "Create") ?? noAgents()) : undefined;
    return {
      ...properties,
      currentVersion:
        properties["provisioningState"] === "Succeeded" ? versionOf(properties as unknown as Properties) : properties["currentVersion"],
      statuses: [],
      errorInfo: null,
      ...(failure && failureMembers(failure)),
    };
  },
});

/** Agents uninstall the release first, unless the deletion is forced: then only the resource goes. */
function isForced({ request }: ArmCall): boolean {
  return request.query.get("forceDelete")?.toLowerCase() === "true";
}

/** AKS clusters have extensions too, which are not emulated. @throws ApiError */
function requireCluster(state: AzureState, id: string): void {
  const { type } = parentResource(state, id);
  if (keyOf(type) !== keyOf(connectedClusterType)) throw badRequest(`Extensions of the type '${type}' are not emulated.`);
}

/** @throws ApiError for another type, namespace or train */
function requireUnchanged(sent: Properties, before: Properties): void {
  const namespaceOf = ({ scope }: Properties) => scope?.cluster?.releaseNamespace ?? scope?.namespace?.targetNamespace;
  const changed = [
    keyOf(sent.extensionType) !== keyOf(before.extensionType) && "ExtensionType",
    sent.scope !== undefined && namespaceOf(sent) !== namespaceOf(before) && "Scope",
    sent.releaseTrain !== undefined && keyOf(sent.releaseTrain) !== keyOf(before.releaseTrain ?? "") && "ReleaseTrain",
  ].find((one) => one !== false);
  if (changed !== undefined) throw badRequest(`The property '${changed}' of an extension is immutable and cannot be updated.`);
}

/** Another extension of the same type on the same cluster. */
function instanceOf(state: AzureState, id: string, type: string): StoredResource | undefined {
  const cluster = parentResource(state, id);
  return extensionsOf(state, cluster.id).find(
    (one) => keyOf(one.id) !== keyOf(id) && keyOf(String(one.properties["extensionType"])) === keyOf(type),
  );
}

export function extensionsOf(state: AzureState, cluster: string): StoredResource[] {
  return resourcesWithin(state, cluster, extensionType);
}

/** How the agents' installation ends; undefined if it succeeds. */
export function installation(cluster: StoredResource, type: string, verb: "Create" | "Update"): OperationError | undefined {
  const agents = agentsOf(cluster);
  if (agents?.stoppedAt !== undefined || agents === undefined) return noAgents();
  const helm = agents.helmErrors[keyOf(type)];
  return helm === undefined ? undefined : helmFailure(helm, verb);
}

function versionOf({ extensionType: type, version }: Properties): string {
  return version ?? newest[keyOf(type)] ?? otherVersion;
}

function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

/** Azure waits this long for agents that do not answer. Public reports say tens of minutes: an estimate. */
export const agentTimeoutSeconds = 30 * 60;

const prefix = "The extension operation failed with the following error: ";

export function noAgents(): OperationError {
  return { code: "ExtensionOperationFailed", message: `${prefix}Unable to get a response from the Agent in time` };
}

/** `helm` is Helm's own message. The doubled space is Azure's. */
function helmFailure(helm: string, verb: "Create" | "Update"): OperationError {
  const cause =
    "Unable to create/update Kubernetes resources for the extension : Recommendation Please check that there are no policies blocking " +
    `the resource creation/update for the extension : InnerError [${helm}]`;
  const done = `[ InnerError: [Helm installation failed : ${cause}]] occurred while doing the operation : [${verb}] on the config`;
  return {
    code: "ExtensionOperationFailed",
    message: `${prefix} Error: ${done}, For general troubleshooting visit: https://aka.ms/k8s-extensions-TSG`,
  };
}

/** `statuses` and `errorInfo` of a failed extension. Azure leaves out the level and the time of the agents' statuses. */
function failureMembers({ code, message }: OperationError): Record<string, unknown> {
  const status = { code: "InstallationFailed", displayStatus: null, level: null, message: message.replace(prefix, "").trim(), time: null };
  return { statuses: [status], errorInfo: { code, message, target: null, details: [], additionalInfo: [] } };
}

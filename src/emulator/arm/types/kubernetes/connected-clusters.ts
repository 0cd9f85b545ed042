/** Clusters that are connected to Azure Arc: the resource that a client writes, and what the cluster's agents report of it. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { versionsOf } from "../../api-versions.js";
import { defineType } from "../../resource-type.js";
import { type LongRunning } from "../../long-running.js";
import { known, oneOf } from "../../body-schema.js";
import { agentsOf, reported } from "./agents.js";

export const connectedClusterType = "Microsoft.Kubernetes/connectedClusters";
export const connectedClusterVersions = versionsOf("Microsoft.Kubernetes", { from: "2021-03-01", preview: ["2024-07-15-preview"] });

const patched = {
  distribution: z.string().optional(),
  distributionVersion: z.string().optional(),
  azureHybridBenefit: oneOf("True", "False", "NotApplicable").optional(),
};

const connectedCluster = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    kind: oneOf("ProvisionedCluster").optional(),
    identity: known({ type: oneOf("SystemAssigned", "None") }, ["principalId", "tenantId"]),
    properties: known(
      {
        agentPublicKeyCertificate: z.base64(),
        ...patched,
        infrastructure: z.string().optional(),
        gateway: known({ enabled: z.boolean().optional(), resourceId: z.string().optional() }).optional(),
        oidcIssuerProfile: known({ enabled: z.boolean().optional(), selfHostedIssuerUrl: z.string().optional() }, ["issuerUrl"]).optional(),
        securityProfile: known({ workloadIdentity: known({ enabled: z.boolean().optional() }).optional() }).optional(),
        privateLinkState: oneOf("Enabled", "Disabled").optional(),
        privateLinkScopeResourceId: z.string().optional(),
        aadProfile: known({
          enableAzureRBAC: z.boolean().optional(),
          adminGroupObjectIDs: z.array(z.guid()).optional(),
          tenantID: z.string().optional(),
        }).optional(),
        arcAgentProfile: known({ desiredAgentVersion: z.string().optional(), agentAutoUpgrade: oneOf("Enabled", "Disabled").optional() }, [
          "agentErrors",
          "agentState",
          "systemComponents",
        ]).optional(),
      },
      [
        "agentVersion",
        "connectivityStatus",
        "kubernetesVersion",
        "lastConnectivityTime",
        "managedIdentityCertificateExpirationTime",
        "miscellaneousProperties",
        "offering",
        "provisioningState",
        "totalCoreCount",
        "totalNodeCount",
      ],
    ),
  },
  ["id", "name", "systemData", "type"],
);

type ConnectedCluster = z.output<typeof connectedCluster>;

const at = { under: "location", status: "operationStatuses", result: "operationStatuses", runningStatus: 200, timed: true } as const;

function operation(name: string): LongRunning {
  return { operation: name, answers: "resource", headers: ["azure-asyncoperation"], pollRetryAfter: [], at };
}

const previewMembers = ["gateway", "oidcIssuerProfile", "securityProfile"];

/** The members that are new in 2024-01-01. */
const newMembers = [
  "aadProfile",
  "arcAgentProfile",
  "azureHybridBenefit",
  "distributionVersion",
  "miscellaneousProperties",
  "privateLinkScopeResourceId",
  "privateLinkState",
];

export const connectedClusters = defineType<ConnectedCluster>({
  name: connectedClusterType,
  apiVersions: connectedClusterVersions,
  versionDifferences: [
    ...newMembers.map((member) => ({ member, since: "2024-01-01" })),
    ...previewMembers.map((member) => ({ member, since: "2024-07-15-preview" })),
  ],
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  emptyTags: true,
  systemData: true,
  namePattern: /^[a-zA-Z0-9](?:[\w-]{0,61}[a-zA-Z0-9])?$/,
  nameRule: "It must have 1 to 63 letters, digits, '_' or '-', and begin and end with a letter or digit.",
  body: connectedCluster,
  latency: { put: "arc.put", delete: "arc.delete" },
  put: operation("PutConnectedCluster"),
  delete: { ...operation("DeleteConnectedCluster"), headers: ["azure-asyncoperation", "location"] },
  lock: { on: "self", second: "supersede" },
  busyStates: { creating: "Accepted", updating: "Updating" },
  // The agents hold the other half of the key, so another one would lock them out.
  checkPut({ body, existing }) {
    const before = existing?.properties["agentPublicKeyCertificate"];
    if (before === undefined || before === body.properties.agentPublicKeyCertificate) return;
    throw new ApiError(400, "BadRequest", "The property 'agentPublicKeyCertificate' of a connected cluster cannot be changed.");
  },
  storedProperties: ({ body: { properties }, existing }) => ({
    privateLinkState: "Disabled",
    azureHybridBenefit: "NotApplicable",
    ...properties,
    ...(existing !== undefined && { agents: agentsOf(existing) }),
  }),
  storedMembers({ identity, kind }, { state, call, existing }) {
    if (identity.type === "None") return { ...(kind && { kind }), identity };
    const { principalId } = (existing?.beside?.["identity"] ?? {}) as { principalId?: string };
    return {
      ...(kind && { kind }),
      identity: { type: identity.type, principalId: principalId ?? call.uuid(), tenantId: state.tenantId },
    };
  },
  presentedProperties: (_state, cluster, _answered, clock) => {
    const { agents: _agents, ...properties } = cluster.properties;
    return { ...properties, ...reported(agentsOf(cluster), clock) };
  },
  patch: { properties: z.strictObject(patched), apply: (_call, _cluster, sent) => ({ ...sent }) },
});

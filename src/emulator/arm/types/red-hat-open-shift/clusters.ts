/** Clusters of classic ARO, which are only seeded, read and asked for credentials. */
import { createHash } from "node:crypto";
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { versionsOf } from "../../api-versions.js";
import { ofResource, type Endpoint } from "../../endpoint.js";
import { keyOf } from "../../resource-id.js";
import { defineType, type ArmCall } from "../../resource-type.js";
import { kubeconfig } from "../container-service/kubeconfig.js";

const type = "Microsoft.RedHatOpenShift/openShiftClusters";
const versions = versionsOf("Microsoft.RedHatOpenShift", { from: "2020-04-30" });

export const openShiftClusters = defineType({
  name: type,
  apiVersions: versions,
  verbs: ["read", "tags", "delete"],
  kind: "tracked",
  namePattern: /^[a-zA-Z0-9](?:[\w.-]{0,88}\w)?$/,
  nameRule: "It must have 1 to 90 letters, digits, '_', '.' or '-'.",
  latency: { put: "aks.create", delete: "aks.delete" },
  // Seeds may name only what a test is about.
  presentedProperties: (_state, { name, location = "", properties }) => ({
    clusterProfile: { domain: name, version: "4.18.26" },
    consoleProfile: { url: `https://console-openshift-console.apps.${name}.${location}.aroapp.io/` },
    apiserverProfile: { visibility: "Public", url: `https://api.${name}.${location}.aroapp.io:6443/`, ip: "203.0.113.10" },
    ...properties,
  }),
});

export const openShiftCredentialEndpoints: readonly Endpoint[] = [
  ofResource({ method: "POST", type, path: "listCredentials", versions, right: "listCredentials/action", handle: password }),
  ofResource({
    method: "POST",
    type,
    path: "listAdminCredentials",
    versions: versions.filter((one) => one >= "2022-04-01"),
    right: "listAdminCredentials/action",
    handle: adminConfig,
  }),
];

/** Four groups of five characters, the same at every call. */
function password(call: ArmCall, { id }: StoredResource): Answer {
  const text = createHash("sha256")
    .update(`${call.state.tokenKey} ${keyOf(id)}`)
    .digest("base64")
    .replace(/\W/g, "x");
  const kubeadminPassword = (text.slice(0, 20).match(/.{5}/g) ?? []).join("-");
  return { status: 200, body: { kubeadminUsername: "kubeadmin", kubeadminPassword }, takes: call.sample("read") };
}

/** On Azure, the user has a client certificate; here, the token of the configured API server. */
function adminConfig(call: ArmCall, { name }: StoredResource): Answer {
  const config = kubeconfig({
    cluster: name,
    user: "system:admin",
    apiServer: call.state.knobs?.apiServer,
    tenantId: undefined,
    format: null,
  });
  return { status: 200, body: { kubeconfig: Buffer.from(config).toString("base64") }, takes: call.sample("read") };
}

/** The service account with which the Azure portal lists the resources of a connected cluster. Pure. */
import type { ArcManifest, ObservabilityRole } from "./arc-facts.js";

const name = "azure-arc-observability";
const namespace = "azure-arc";

/**
 * No token secret: a token in it has no expiry. `oc create token` issues one for some hours. `cluster-reader` is OpenShift's role that reads
 * everything except secrets.
 */
export function observabilityManifests(role: ObservabilityRole): readonly ArcManifest[] {
  return [{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } }, observabilityBinding(role)];
}

/** The name contains the role, because Kubernetes cannot change the role of a binding. */
function observabilityBinding(role: ObservabilityRole) {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: `${name}-${role}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  };
}

/** The command for a token to paste into the portal. */
export const observabilityAccount = { name, namespace };

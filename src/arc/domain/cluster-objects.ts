/** The namespace of the agents' Helm release, and OpenShift's permission for kube-aad-proxy. */
import { agents } from "./names.js";

const managedBy = { "app.kubernetes.io/managed-by": "aro-hcp" } as const;

export const releaseNamespace = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: agents.releaseNamespace, labels: managedBy },
} as const;

/**
 * `oc adm policy add-scc-to-user privileged` as a binding of its own, which can be deleted alone. It needs no namespace, so it can exist before
 * the chart creates azure-arc, and the first pod of kube-aad-proxy does not get stuck.
 */
export const securityContextBinding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "aro-hcp-arc-kube-aad-proxy", labels: managedBy },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:openshift:scc:privileged" },
  subjects: [{ kind: "ServiceAccount", name: agents.proxyServiceAccount, namespace: agents.namespace }],
} as const;

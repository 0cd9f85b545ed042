/** The text of a kubeconfig as AKS writes it. */
import type { ApiServer } from "../../../state/seed-settings.js";

/** The Entra applications of AKS, the same in every tenant: its API servers, and kubectl. */
const serverApplication = "6dae42f8-4368-4678-94ff-3960e28e3630";
const clientApplication = "80faf920-1908-4b52-b5ef-a8e7bedfc67a";

export interface KubeconfigOf {
  readonly cluster: string;
  readonly user: string;
  /** What answers for all clusters; undefined if nothing does. */
  readonly apiServer: ApiServer | undefined;
  /** The tenant of users that sign in with Entra; undefined for a static credential. */
  readonly tenantId: string | undefined;
  /** What the client asked for: "exec", "azure" (the plugin that kubectl no longer has), or nothing. */
  readonly format: string | null;
}

export function kubeconfig(of: KubeconfigOf): string {
  const { cluster, user, apiServer } = of;
  const server = apiServer?.server ?? `https://${cluster}.emulated-without-api-server.invalid:443`;
  const authority = apiServer === undefined ? "" : `    certificate-authority-data: ${apiServer.certificateAuthorityData}\n`;
  return `apiVersion: v1
clusters:
- cluster:
${authority}    server: ${server}
  name: ${cluster}
contexts:
- context:
    cluster: ${cluster}
    user: ${user}
  name: ${cluster}
current-context: ${cluster}
kind: Config
preferences: {}
users:
- name: ${user}
  user:
${userOf(of)}`;
}

function userOf({ apiServer, tenantId, format }: KubeconfigOf): string {
  if (tenantId === undefined) return `    token: ${apiServer?.token ?? "none-because-the-cluster-is-emulated"}\n`;
  if (format === "azure") {
    return `    auth-provider:
      config:
        apiserver-id: ${serverApplication}
        client-id: ${clientApplication}
        config-mode: "1"
        environment: AzurePublicCloud
        tenant-id: ${tenantId}
      name: azure
`;
  }
  return `    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      args:
      - get-token
      - --environment
      - AzurePublicCloud
      - --server-id
      - ${serverApplication}
      - --client-id
      - ${clientApplication}
      - --tenant-id
      - ${tenantId}
      - --login
      - devicecode
      command: kubelogin
      env: null
      installHint: |2

        kubelogin is not installed which is required to connect to AAD enabled cluster.

        To learn more, please go to https://aka.ms/aks/kubelogin
      provideClusterInfo: false
`;
}

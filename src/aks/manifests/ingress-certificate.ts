/** The TLS secret of a service cluster's gateways, which the AKS add-on synchronizes from Key Vault. */
import { ingressNamespace, type MountedCertificate } from "./ingress-facts.js";

/** The names of Azure/ARO-HCP. */
const className = "frontend-scp";
const alias = "frontend-cert";
export const tlsSecretName = "frontend-credential";

/** Mounts the newest version, so that a renewed certificate reaches the gateways without a change here. */
export function secretClass({ vaultName, name, tenantId, readerClientId }: MountedCertificate) {
  return {
    apiVersion: "secrets-store.csi.x-k8s.io/v1",
    kind: "SecretProviderClass",
    metadata: { name: className, namespace: ingressNamespace },
    spec: {
      provider: "azure",
      // The certificate is PEM, which the driver divides into key and chain.
      secretObjects: [
        {
          secretName: tlsSecretName,
          type: "kubernetes.io/tls",
          data: ["tls.key", "tls.crt"].map((key) => ({ key, objectName: alias })),
        },
      ],
      parameters: {
        usePodIdentity: "false",
        useVMManagedIdentity: "true",
        userAssignedIdentityID: readerClientId,
        keyvaultName: vaultName,
        tenantId,
        objects: `array:\n  - |\n    objectName: ${name}\n    objectType: secret\n    objectAlias: ${alias}\n`,
      },
    },
  };
}

/** The driver creates the secret only while a pod mounts the class, and the add-on's gateway mounts no volumes. So this pod does nothing else. */
export function deploymentThatMounts() {
  const labels = { app: `${tlsSecretName}-sync` };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: `${tlsSecretName}-sync`, namespace: ingressNamespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, "sidecar.istio.io/inject": "false" } },
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: "pause",
              image: "mcr.microsoft.com/oss/kubernetes/pause:3.9",
              resources: { requests: { cpu: "1m", memory: "8Mi" }, limits: { memory: "16Mi" } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
                runAsUser: 65_535,
              },
              volumeMounts: [{ name: "certificate", mountPath: "/certificate", readOnly: true }],
            },
          ],
          volumes: [
            {
              name: "certificate",
              csi: { driver: "secrets-store.csi.k8s.io", readOnly: true, volumeAttributes: { secretProviderClass: className } },
            },
          ],
        },
      },
    },
  };
}

/** The manifests that mount secrets of a Key Vault in a pod of a connected cluster. */
import {
  credentialSecretName,
  demoPodName,
  driverName,
  secretClassName,
  type ArcFacts,
  type ArcIdentity,
  type ArcManifest,
} from "./arc-facts.js";

/** The manifests, in the order in which they depend on each other. */
export function arcSecretManifests(facts: ArcFacts): readonly ArcManifest[] {
  const { namespace, identity } = facts;
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    identity.kind === "workload-identity" ? workloadAccount(namespace, identity) : credentialSecret(namespace, identity),
    secretProviderClass(facts),
    demoPod(facts),
  ];
}

/** One file for each secret, with its name. */
function secretProviderClass({ namespace, tenantId, vaultName, cloudName, secrets, identity }: ArcFacts) {
  const objects = secrets.map((name) => `  - |\n    objectName: ${name}\n    objectType: secret\n`).join("");
  return {
    apiVersion: "secrets-store.csi.x-k8s.io/v1",
    kind: "SecretProviderClass",
    metadata: { name: secretClassName, namespace },
    spec: {
      provider: "azure",
      parameters: {
        usePodIdentity: "false",
        ...(identity.kind === "workload-identity" && { clientID: identity.clientId }),
        keyvaultName: vaultName,
        ...(cloudName !== undefined && { cloudName }),
        tenantId,
        objects: `array:\n${objects}`,
      },
    },
  };
}

/** The driver reads only secrets with this label. */
function credentialSecret(namespace: string, { clientId, clientSecret }: Extract<ArcIdentity, { kind: "service-principal" }>) {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: credentialSecretName, namespace, labels: { "secrets-store.csi.k8s.io/used": "true" } },
    type: "Opaque",
    stringData: { clientid: clientId, clientsecret: clientSecret },
  };
}

function workloadAccount(namespace: string, { serviceAccount, clientId }: Extract<ArcIdentity, { kind: "workload-identity" }>) {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: serviceAccount, namespace, annotations: { "azure.workload.identity/client-id": clientId } },
  };
}

/** Lists the mounted files, without their contents, and waits. Runs under OpenShift's restricted-v2, which chooses the user. */
function demoPod({ namespace, identity }: Pick<ArcFacts, "namespace" | "identity">) {
  const isWorkload = identity.kind === "workload-identity";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: demoPodName, namespace, labels: { app: demoPodName } },
    spec: {
      ...(isWorkload && { serviceAccountName: identity.serviceAccount }),
      automountServiceAccountToken: false,
      containers: [
        {
          name: "demo",
          image: "registry.access.redhat.com/ubi9/ubi-minimal:latest",
          command: ["/bin/sh", "-c", "ls -l /mnt/secrets-store && exec sleep infinity"],
          resources: { requests: { cpu: "1m", memory: "16Mi" }, limits: { memory: "64Mi" } },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ["ALL"] },
            runAsNonRoot: true,
            seccompProfile: { type: "RuntimeDefault" },
          },
          volumeMounts: [{ name: "secrets-store", mountPath: "/mnt/secrets-store", readOnly: true }],
        },
      ],
      volumes: [
        {
          name: "secrets-store",
          csi: {
            driver: driverName,
            readOnly: true,
            volumeAttributes: { secretProviderClass: secretClassName },
            ...(!isWorkload && { nodePublishSecretRef: { name: credentialSecretName } }),
          },
        },
      ],
    },
  };
}

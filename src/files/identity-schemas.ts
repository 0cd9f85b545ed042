/** The shapes of the files that carry identities, as HyperShift's API defines them. */
import { z } from "zod";
import { secretName, uuid, vaultName } from "./fields.js";

const objectEncoding = z.enum(["utf-8", "hex", "base64"]).default("utf-8");

const managedIdentity = z
  .strictObject({
    clientID: uuid,
    credentialsSecretName: secretName,
    objectEncoding,
    /** Written by HyperShift's contrib scripts, read by nobody. */
    certificateName: z.string().optional(),
  })
  .transform(({ certificateName: _, ...identity }) => identity);

/** The inner object that `--managed-identities-file` reads. Without the image registry capability its identity may be left out. */
export const controlPlaneSchema = z
  .strictObject({
    managedIdentitiesKeyVault: z.strictObject({ name: vaultName, tenantID: uuid }),
    controlPlaneOperator: managedIdentity,
    nodePoolManagement: managedIdentity,
    cloudProvider: managedIdentity,
    file: managedIdentity,
    disk: managedIdentity,
    ingress: managedIdentity,
    network: managedIdentity,
    imageRegistry: managedIdentity.optional(),
    /** The backup identity of HyperShift's contrib scripts. */
    velero: z.unknown().optional(),
  })
  .transform(({ velero: _, ...identities }) => identities);

/** The inner object that `--data-plane-identities-file` reads. */
export const dataPlaneSchema = z.strictObject({ imageRegistryMSIClientID: uuid, diskMSIClientID: uuid, fileMSIClientID: uuid });

/** The documented file with both; `create identities --enable-kms` adds the identity that a HostedCluster has under `secretEncryption`. */
export const combinedSchema = z.strictObject({
  controlPlane: controlPlaneSchema,
  dataPlane: dataPlaneSchema,
  kms: managedIdentity.optional(),
});

const workloadIdentity = z.strictObject({ clientID: uuid });

/** What `create iam azure` writes for a self-managed control plane. */
export const workloadSchema = z.strictObject({
  controlPlaneOperator: workloadIdentity,
  nodePoolManagement: workloadIdentity,
  cloudProvider: workloadIdentity,
  file: workloadIdentity,
  disk: workloadIdentity,
  ingress: workloadIdentity,
  network: workloadIdentity,
  imageRegistry: workloadIdentity.optional(),
  kmsClientID: uuid.optional(),
});

export type ManagedIdentity = z.output<typeof managedIdentity>;
export type ControlPlaneIdentities = z.output<typeof controlPlaneSchema>;
export type DataPlaneIdentities = z.output<typeof dataPlaneSchema>;
export type WorkloadIdentities = z.output<typeof workloadSchema>;

/** The formats of identity files, as HyperShift's API defines them. */
import { z } from "zod";
import {
  controlPlaneFields,
  dataPlaneFields,
  newerFields,
  optionalFields,
  type ControlPlaneField,
  type NewerField,
  type OptionalField,
} from "../domain/components.js";
import { objectEncodings } from "../domain/credential-secret.js";
import { secretName, uuid, vaultName } from "./fields.js";

type ControlPlaneShape<Entry extends z.ZodType, Optional extends ControlPlaneField> = Readonly<
  Record<Exclude<ControlPlaneField, Optional>, Entry>
> &
  Readonly<Record<Optional, z.ZodOptional<Entry>>>;

const fieldsOfCapabilities: readonly OptionalField[] = optionalFields.map(({ field }) => field);

/** One entry for each identity of the control plane, from the component catalog. `optional`: by default those of optional capabilities. */
export function controlPlaneShape<Entry extends z.ZodType, Optional extends ControlPlaneField = OptionalField>(
  entry: Entry,
  optional: readonly ControlPlaneField[] = fieldsOfCapabilities,
): ControlPlaneShape<Entry, Optional> {
  return Object.fromEntries(
    controlPlaneFields.map((field) => [field, optional.includes(field) ? entry.optional() : entry]),
  ) as unknown as ControlPlaneShape<Entry, Optional>;
}

/** One entry for each identity of the data plane. */
export function dataPlaneShape<Entry extends z.ZodType>(entry: Entry): Readonly<Record<(typeof dataPlaneFields)[number], Entry>> {
  return Object.fromEntries(dataPlaneFields.map((field) => [field, entry])) as Record<(typeof dataPlaneFields)[number], Entry>;
}

const objectEncoding = z.enum(objectEncodings).default("utf-8");

const managedIdentity = z
  .strictObject({
    clientID: uuid,
    credentialsSecretName: secretName,
    objectEncoding,
    /** Written by HyperShift's contrib scripts; nothing reads it. */
    certificateName: z.string().optional(),
  })
  .transform(({ certificateName: _, ...identity }) => identity);

/** The inner object that `--managed-identities-file` reads. Without the image registry capability, its identity may be missing. */
export const controlPlaneSchema = z
  .strictObject({
    managedIdentitiesKeyVault: z.strictObject({ name: vaultName, tenantID: uuid }),
    ...controlPlaneShape(managedIdentity),
    /** The backup identity of HyperShift's contrib scripts. */
    velero: z.unknown().optional(),
  })
  .transform(({ velero: _, ...identities }) => identities);

/** The inner object that `--data-plane-identities-file` reads. */
export const dataPlaneSchema = z.strictObject(dataPlaneShape(uuid));

/** The documented file with both; `create identities --enable-kms` adds the identity that a HostedCluster has under `secretEncryption`. */
export const combinedSchema = z.strictObject({
  controlPlane: controlPlaneSchema,
  dataPlane: dataPlaneSchema,
  kms: managedIdentity.optional(),
});

export const workloadIdentity = z.strictObject({ clientID: uuid });

export const workloadIdentitiesSchema = z.strictObject(
  controlPlaneShape<typeof workloadIdentity, OptionalField | NewerField>(workloadIdentity, [...fieldsOfCapabilities, ...newerFields]),
);

/** The file that `create iam` and HyperShift's `create iam azure` write for a self-managed control plane. */
export const workloadSchema = workloadIdentitiesSchema.extend({ kmsClientID: uuid.optional() });

export type ManagedIdentity = z.output<typeof managedIdentity>;
export type ControlPlaneIdentities = z.output<typeof controlPlaneSchema>;
export type DataPlaneIdentities = z.output<typeof dataPlaneSchema>;
export type WorkloadIdentities = z.output<typeof workloadSchema>;

const identity = z.object({ clientID: uuid, credentialsSecretName: secretName, objectEncoding: z.enum(objectEncodings) });

/** A failed run writes only the identities that it knows. */
export const knownIdentities = z.object({
  controlPlane: z.object({
    managedIdentitiesKeyVault: z.object({ name: vaultName, tenantID: z.string() }),
    ...controlPlaneShape(identity, controlPlaneFields),
  }),
  dataPlane: z.partialRecord(z.enum(dataPlaneFields), uuid),
  kms: identity.optional(),
});

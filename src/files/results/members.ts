/** The members of result documents that only some commands have. */
import { z } from "zod";
import { controlPlaneFields, dataPlaneFields } from "../../domain/components.js";
import { objectEncodings } from "../../domain/credential-secret.js";
import { secretName, uuid, vaultName } from "../fields.js";
import { controlPlaneShape, workloadIdentity } from "../identity-schemas.js";
import { count, text, time } from "./parts.js";

const identity = z.object({ clientID: uuid, credentialsSecretName: secretName, objectEncoding: z.enum(objectEncodings) });

/** After a run that failed, only those that are known. */
export const knownIdentities = z.object({
  controlPlane: z.object({
    managedIdentitiesKeyVault: z.object({ name: vaultName, tenantID: text }),
    ...controlPlaneShape(identity, controlPlaneFields),
  }),
  dataPlane: z.partialRecord(z.enum(dataPlaneFields), uuid),
  kms: identity.optional(),
});

/** After a run that failed, only those that are known. */
export const knownWorkloadIdentities = z.object({
  ...controlPlaneShape(workloadIdentity, controlPlaneFields),
  kmsClientID: uuid.optional(),
});

export const credentials = z.array(
  z.object({
    component: text,
    certificateOf: time.describe("when the newest certificate was created"),
    expiresOn: time,
    notRotated: text.optional().describe("why this run created none"),
    oldKeyUntil: time.optional().describe("the end of the last overlap; a run after it removes the old keys"),
  }),
);

export const shownCredentials = {
  controlPlane: z.array(
    z.object({
      component: text,
      clientId: text.optional(),
      secretName: text,
      state: z.enum(["absent", "valid", "expires-soon", "expired"]),
      expiresOn: time.optional(),
      daysLeft: z.int().optional().describe("negative after the expiry"),
    }),
  ),
  dataPlane: z.array(z.object({ component: text, name: text, clientId: text.optional() })),
};

export const keyVersions = z.array(z.object({ id: text, state: z.enum(["active", "backup", "older", "disabled"]), createdOn: time }));

/** If the key is soft-deleted: until when it can be recovered. */
export const softDeleted = z.object({ until: time.optional() }).optional();

export const isInstalled = z.boolean();

/** The members of `az connectedk8s show` that are always there; the others are null where Azure leaves them out. */
export const azConnectedCluster = { id: text, name: text, type: text, location: text };
export const connectedClusters = z.array(z.looseObject(azConnectedCluster));

export const agentFiles = z
  .object({ values: text, commands: text, chart: z.object({ repository: text, version: text }) })
  .describe("the files for the installation of the agents");

/** As Azure has it; Azure adds members. */
const extension = z.looseObject({ id: text.optional(), name: text.optional(), provisioningState: text.optional() });
export const extensions = z.array(extension);

export const createdExtension = z.object({ name: text, type: text });

export const extensionsWithProblems = z.array(
  extension.extend({
    problems: z.array(z.object({ level: z.enum(["error", "warning"]), code: text, message: text, time: text.optional() })),
  }),
);

export const policy = z.object({
  assignments: z.array(
    z.object({ id: text, name: text, displayName: text, scope: text, compliance: z.enum(["compliant", "not-compliant", "not-evaluated"]) }),
  ),
  nonCompliant: count,
  summary: z.enum(["evaluated", "not-evaluated"]),
});

export const agentStates = z.array(z.object({ state: text, at: time.describe("when this command first read it") }));

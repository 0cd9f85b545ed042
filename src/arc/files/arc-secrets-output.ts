/** The files of `create arc secrets`: facts for the manifests, and the client secret in a file of its own. */
import { z } from "zod";
import { secretsIdentities } from "../domain/secrets.js";
import { sameText } from "../../text/same-text.js";
import { cloudName, uuid } from "../../files/fields.js";
import { documentOwner, type OutputFile } from "../../files/output-file.js";
import { permissionNotices } from "../../files/azure-creds.js";
import { readDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

/** Incremented when a key changes its meaning or is removed; new keys do not increment it. */
const version = 1;

const shape = {
  schemaVersion: z.literal(version),
  kind: z.literal("arc-secrets"),
  name: z.string(),
  cloud: z.string(),
  subscriptionID: uuid,
  tenantID: uuid,
  resourceGroupName: z.string(),
  keyVaultID: z.string(),
  keyVaultName: z.string(),
  secretNames: z.array(z.string()),
  identityKind: z.enum(secretsIdentities),
  /** "" until it is created. */
  clientID: z.string(),
  namespace: z.string(),
  /** "" for a service principal. */
  serviceAccountName: z.string(),
};

export const arcSecretsSchema = z.strictObject(shape);
const readable = z.looseObject({ ...shape, schemaVersion: z.number(), cloud: cloudName });

export type ArcSecretsOutput = z.output<typeof arcSecretsSchema>;
export type ArcSecretsInput = Readonly<z.output<typeof readable>>;

export type KnownArcSecrets = Omit<ArcSecretsOutput, "schemaVersion" | "kind">;

export function arcSecretsOutput(known: KnownArcSecrets): ArcSecretsOutput {
  return { schemaVersion: version, kind: "arc-secrets", ...known };
}

/** Earlier versions of this program wrote fewer keys, and later ones may write more. */
const earlierOutput = z
  .looseObject(shape)
  .partial()
  .required({ schemaVersion: true, kind: true, name: true, subscriptionID: true, resourceGroupName: true });

/** The file at the path; one of another connected cluster, or of another program, is not replaced. */
export function arcSecretsOutputFile(
  path: string,
  cluster: Pick<KnownArcSecrets, "name" | "subscriptionID" | "resourceGroupName">,
): OutputFile {
  return {
    path,
    otherOwner: documentOwner(earlierOutput, (found) => {
      const keys = ["name", "subscriptionID", "resourceGroupName"] as const;
      if (keys.every((key) => sameText(found[key], cluster[key]))) return undefined;
      return `the file of connected cluster ${found.name} in resource group ${found.resourceGroupName} of subscription ${found.subscriptionID}`;
    }),
  };
}

/** @throws ARO-FILE-001, 002 or 003 */
export async function readArcSecrets(path: string): Promise<ArcSecretsInput> {
  return validate(await readDocument(path), readable, "an output file of create arc secrets");
}

const credential = z.object({
  clientId: uuid,
  clientSecret: z.string().min(1, "is empty"),
  keyId: uuid,
  expiresOn: z.string(),
});

/** The file at the path; one of an application with another client ID is not replaced. Without `clientIds`, any is accepted, before its own is known. */
export function arcCredentialFile(path: string, clientIds?: ReadonlySet<string>): OutputFile {
  return {
    path,
    otherOwner: documentOwner(credential.strict(), ({ clientId }) =>
      (clientIds?.has(clientId) ?? true) ? undefined : `the credential of client ID ${clientId}`,
    ),
  };
}

/** The client secret of the service principal. */
export type ArcCredential = Readonly<z.output<typeof credential>>;

export interface ReadArcCredential {
  readonly credential: ArcCredential;
  readonly notices: readonly string[];
}

/** @throws ARO-FILE-001, 002 or 003, never quoting a value */
export async function readArcCredential(path: string): Promise<ReadArcCredential> {
  const document = await readDocument(path);
  return {
    credential: validate(document, credential, "a credential file of create arc secrets"),
    notices: permissionNotices(path, document.mode),
  };
}

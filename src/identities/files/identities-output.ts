/** The documents of `create identities`: the documented combined file, and its two halves for hypershift's flags. */
import { z } from "zod";
import { controlPlaneFields, dataPlaneFields, type ControlPlaneField, type DataPlaneField } from "../../domain/components.js";
import { objectEncodings, type ObjectEncoding } from "../../domain/credential-secret.js";
import { parseJson } from "../../text/json.js";
import { sameText } from "../../text/same-text.js";
import { clientIdsOwner, type ClientIds } from "../../files/client-id-files.js";
import { secretName, uuid } from "../../files/fields.js";
import { controlPlaneShape, dataPlaneShape } from "../../files/identity-schemas.js";
import { readInputFile } from "../../files/input-file.js";
import { documentOwner, type OutputFile } from "../../files/output-file.js";

/** An identity of the control plane, as in a HostedCluster. */
export interface ManagedIdentityEntry {
  readonly clientID: string;
  readonly credentialsSecretName: string;
  readonly objectEncoding: ObjectEncoding;
}

/** The values known so far. Incomplete entries are omitted, so that no reader mistakes a partial entry for a complete one. */
export interface KnownIdentities {
  readonly vaultName: string;
  readonly tenantId: string;
  readonly controlPlane: Readonly<Partial<Record<ControlPlaneField | "kms", ManagedIdentityEntry>>>;
  readonly dataPlane: Readonly<Partial<Record<DataPlaneField, string>>>;
}

/** The content of `--managed-identities-file`. */
export function controlPlaneOutput({ vaultName, tenantId, controlPlane }: KnownIdentities) {
  return { managedIdentitiesKeyVault: { name: vaultName, tenantID: tenantId }, ...inOrder(controlPlaneFields, controlPlane) };
}

/** The content of `--data-plane-identities-file`. */
export function dataPlaneOutput({ dataPlane }: KnownIdentities) {
  return inOrder(dataPlaneFields, dataPlane);
}

/** Both halves, as ARO HCP documents the file. The KMS identity is at the top level: a HostedCluster has it under `secretEncryption`. */
export function identitiesOutput(known: KnownIdentities) {
  const { kms } = known.controlPlane;
  return { controlPlane: controlPlaneOutput(known), dataPlane: dataPlaneOutput(known), ...(kms && { kms }) };
}

/** Steps finish in any order; the file does not depend on it. */
function inOrder<Key extends string, Value>(
  keys: readonly Key[],
  values: Readonly<Partial<Record<Key, Value>>>,
): Partial<Record<Key, Value>> {
  const known = keys.filter((key) => values[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, values[key]])) as Partial<Record<Key, Value>>;
}

const entry = z.strictObject({ clientID: uuid, credentialsSecretName: secretName, objectEncoding: z.enum(objectEncodings) });
const earlierControlPlane = z.strictObject({
  managedIdentitiesKeyVault: z.strictObject({ name: z.string(), tenantID: uuid }),
  ...controlPlaneShape(entry.optional(), []),
});
const earlierDataPlane = z.strictObject(dataPlaneShape(uuid.optional()));
const earlierIdentities = z.strictObject({ controlPlane: earlierControlPlane, dataPlane: earlierDataPlane, kms: entry.optional() });

/** The combined file at the path; one of the identities in another vault, or of another program, is not replaced. */
export function identitiesOutputFile(path: string, vaultName: string): OutputFile {
  return { path, otherOwner: documentOwner(earlierIdentities, ({ controlPlane }) => otherVault(controlPlane, vaultName)) };
}

/** The same for the file of the control plane. */
export function controlPlaneFile(path: string, vaultName: string): OutputFile {
  return { path, otherOwner: documentOwner(earlierControlPlane, (controlPlane) => otherVault(controlPlane, vaultName)) };
}

/** The same for the file of the data plane, which does not name the vault. */
export function dataPlaneFile(path: string, ids: { readonly known: ClientIds; readonly isRunning: boolean }): OutputFile {
  return { path, otherOwner: clientIdsOwner(earlierDataPlane, (document) => document, ids) };
}

/** The identities of the data plane in an earlier combined file of the same set. */
export async function earlierDataPlaneIds(path: string): Promise<ClientIds> {
  return earlierIdentities.safeParse(await readEarlier(path)).data?.dataPlane ?? {};
}

/** The client IDs of the control plane in an earlier combined file, or in one of the control plane alone. */
export async function earlierControlPlaneIds(path: string): Promise<string[]> {
  const document = await readEarlier(path);
  const combined = earlierIdentities.safeParse(document).data;
  const { managedIdentitiesKeyVault: _vault, ...entries } = combined?.controlPlane ?? earlierControlPlane.safeParse(document).data ?? {};
  return [...Object.values(entries), combined?.kms].flatMap((entry) => entry?.clientID ?? []);
}

/** The vault that an earlier file names. */
export async function earlierVaultNames(path: string): Promise<string[]> {
  const document = await readEarlier(path);
  const controlPlane = earlierIdentities.safeParse(document).data?.controlPlane ?? earlierControlPlane.safeParse(document).data;
  return controlPlane === undefined ? [] : [controlPlane.managedIdentitiesKeyVault.name];
}

async function readEarlier(path: string): Promise<unknown> {
  const file = await readInputFile(path, maxBytes).catch(() => undefined);
  return parseJson(file?.bytes.toString("utf8") ?? "");
}

/** More than any of these files. */
const maxBytes = 64 * 1024;

function otherVault({ managedIdentitiesKeyVault: { name } }: z.output<typeof earlierControlPlane>, vaultName: string): string | undefined {
  return sameText(name, vaultName) ? undefined : `the file of the identities in vault ${name}, not in ${vaultName}`;
}

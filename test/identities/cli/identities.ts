/** Eleven identities in the directory, and identity files in every format. */
import { writeFile } from "node:fs/promises";
import type { TestEmulator } from "../../harness/test-emulator.js";

export const controlPlaneFields = [
  "controlPlaneOperator",
  "nodePoolManagement",
  "cloudProvider",
  "file",
  "disk",
  "ingress",
  "network",
  "imageRegistry",
] as const;
const dataPlaneFields = ["imageRegistryMSIClientID", "diskMSIClientID", "fileMSIClientID"] as const;
type Field = (typeof controlPlaneFields)[number] | (typeof dataPlaneFields)[number];

const fields: readonly Field[] = [...controlPlaneFields, ...dataPlaneFields];

export const clientIdOf = (field: Field): string => `00000000-0000-4000-8000-0000000001${String(fields.indexOf(field)).padStart(2, "0")}`;
export const principalIdOf = (field: Field): string =>
  `00000000-0000-4000-8000-0000000002${String(fields.indexOf(field)).padStart(2, "0")}`;

/** The content that a seed document adds to the directory. */
export const applications = fields.map((field) => ({
  appId: clientIdOf(field),
  displayName: field,
  servicePrincipalId: principalIdOf(field),
}));

export const controlPlane = {
  managedIdentitiesKeyVault: { name: "demo-vault", tenantID: "7e7a0000-0000-4000-8000-000000000001" },
  ...ofEach(controlPlaneFields, (field) => ({
    clientID: clientIdOf(field),
    credentialsSecretName: `demo-${field.toLowerCase()}`,
    objectEncoding: "utf-8" as const,
  })),
};
export const dataPlane = ofEach(dataPlaneFields, clientIdOf);
export const combined = { controlPlane, dataPlane };
export const workload = ofEach(controlPlaneFields, (field) => ({ clientID: clientIdOf(field) }));

function ofEach<Key extends Field, Value>(keys: readonly Key[], valueOf: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;
}

/** Writes a document into the emulator's directory and returns its path; text is written unchanged. */
export async function fileOf(azure: TestEmulator, name: string, content: unknown): Promise<string> {
  const path = azure.path(name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

/** The flags that assign both planes their roles; the identities are in the directory. */
export async function roleFlags(azure: TestEmulator): Promise<string[]> {
  await azure.seed({ applications });
  return [
    "--managed-identities-file",
    await fileOf(azure, "cp.json", controlPlane),
    "--data-plane-identities-file",
    await fileOf(azure, "dp.json", dataPlane),
    "--assign-identity-roles",
    "--dns-zone-rg-name",
    "dns",
  ];
}

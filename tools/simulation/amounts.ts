/** Counts what races may create twice: keys, versions of secrets, and role assignments. */
import type { StateSnapshot } from "../../src/emulator/state/snapshot.js";
import type { Amounts } from "./races.js";

/** Compares the amounts, and finds two role assignments that grant the same. */
export function amountProblems({ applications, vaults = {}, resources, roleAssignments }: StateSnapshot, wanted: Amounts): string[] {
  const counted = (what: string, name: string, found: number, amount: number | undefined) =>
    amount === undefined || amount === found ? [] : [`${what} ${name}: ${String(found)}, not ${String(amount)}`];
  const ofSets = (Object.values(applications) as SnapshotApplication[]).filter(({ uniqueName }) => uniqueName?.startsWith("aro-hcp."));
  const contents = Object.values(vaults) as SnapshotVault[];
  const blobs = Object.values(resources).flatMap((each) => Object.entries((each as SnapshotContainer).properties?.blobs ?? {}));
  const keySets = blobs.filter(([name]) => name === "openid/v1/jwks").map(([, { content = "" }]) => Buffer.from(content, "base64"));
  const granted = Object.values(roleAssignments).map((each) => {
    const { principalId, roleDefinitionId, scope } = each as Record<string, unknown>;
    return JSON.stringify([principalId, roleDefinitionId, scope]).toLowerCase();
  });
  return [
    ...ofSets.flatMap(({ displayName, certificates = [], secrets = 0 }) => [
      ...counted("certificates of application", displayName, certificates.length, wanted.keysOfApplication),
      ...counted("client secrets of application", displayName, secrets, wanted.clientSecrets),
    ]),
    ...contents.flatMap(({ certificates, secrets }) => [
      ...Object.entries(certificates).flatMap(([name, { versions }]) =>
        counted("versions of certificate", name, versions.length, wanted.versionsOfCertificate),
      ),
      ...Object.entries(secrets)
        .filter(([, { managed }]) => managed !== true)
        .flatMap(([name, { versions }]) => counted("versions of secret", name, versions.length, wanted.versionsOfSecret)),
    ]),
    ...keySets.flatMap((content) =>
      counted("keys of", "the issuer", (JSON.parse(content.toString()) as { keys: unknown[] }).keys.length, wanted.publishedKeys),
    ),
    ...granted.filter((each, index) => granted.indexOf(each) !== index).map((each) => `the role is assigned twice: ${each}`),
  ];
}

interface SnapshotApplication {
  readonly displayName: string;
  readonly uniqueName?: string;
  readonly certificates?: readonly string[];
  readonly secrets?: number;
}

interface SnapshotVault {
  readonly certificates: Readonly<Record<string, { readonly versions: readonly unknown[] }>>;
  readonly secrets: Readonly<Record<string, { readonly versions: readonly unknown[]; readonly managed?: boolean }>>;
}

interface SnapshotContainer {
  readonly properties?: { readonly blobs?: Readonly<Record<string, { readonly content?: string }>> };
}

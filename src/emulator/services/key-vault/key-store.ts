/** The keys that a vault has: its own, which Resource Manager shows and creates too, and those of its certificates. */
import { resourcesByScope } from "../../arm/indexes.js";
import { keyOf } from "../../arm/resource-id.js";
import { recoveryLevelOf } from "../../arm/types/key-vaults/provider.js";
import { childrenOf } from "../../arm/uses.js";
import type { StoredResource } from "../../state/state.js";
import { namedIn, setNamed } from "../../common/named.js";
import type { KeyRotation, KeyVersion, VaultCertificate, VaultKey } from "../../state/vault-content.js";
import type { CertificatePolicy } from "./certificate-policy.js";
import type { VaultCall } from "./vault-call.js";

export const rsaOps = ["encrypt", "decrypt", "sign", "verify", "wrapKey", "unwrapKey"] as const;
export const ellipticOps = ["sign", "verify"] as const;

export const hsmType = "Microsoft.KeyVault/managedHSMs";

/** A managed HSM, whose keys Resource Manager does not show here. */
export function isHsm({ type }: Pick<StoredResource, "type">): boolean {
  return type === hsmType;
}

/** The vault's own keys by lower-cased name, with those that Resource Manager has created since, which shows all of them. */
export function ownKeys(vaultCall: VaultCall): Record<string, VaultKey> {
  const { call, vault, content } = vaultCall;
  const keys = content.keys ?? {};
  for (const resource of childrenOf(call.state, vault.id, "keys")) {
    const name = resource.name.toLowerCase();
    if (namedIn(keys, name) !== undefined) continue;
    const { rotationPolicy } = resource.properties as { rotationPolicy?: KeyRotation };
    const tags = resource.beside?.["tags"] as Record<string, string> | undefined;
    const versions = childrenOf(call.state, resource.id, "versions").map((version) => ({ ...versionIn(version), ...(tags && { tags }) }));
    setNamed(keys, name, { name: resource.name, versions, ...(rotationPolicy && { rotation: rotationPolicy }) });
  }
  // A recovered vault comes back with its keys, which its deletion took from Resource Manager.
  for (const key of Object.values(keys)) {
    if (call.state.resources[keyOf(idOf(vaultCall, key))] === undefined) showInResourceManager(vaultCall, key);
  }
  if (Object.keys(keys).length > 0) content.keys = keys;
  return keys;
}

/** What Resource Manager stores of a version. */
interface ArmKey {
  readonly kty: KeyVersion["kty"];
  readonly keySize?: number;
  readonly curveName?: string;
  readonly keyOps: string[];
  readonly attributes: KeyVersion["attributes"] & Readonly<Record<string, unknown>>;
}

function versionIn({ name, properties }: StoredResource): KeyVersion {
  const { kty, keySize, curveName, keyOps, attributes } = properties as unknown as ArmKey;
  const { enabled, nbf, exp, created, updated } = attributes;
  const isElliptic = kty.startsWith("EC");
  return {
    version: name,
    kty,
    ...(isElliptic ? { curve: curveName ?? "P-256" } : { size: keySize ?? 2048 }),
    ops: [...keyOps],
    attributes: { enabled, ...(nbf !== undefined && { nbf }), ...(exp !== undefined && { exp }), created, updated },
  };
}

function idOf({ vault }: VaultCall, { name }: VaultKey): string {
  return `${vault.id}/keys/${name}`;
}

/** Runs after each write of a key: Resource Manager shows the versions of keys that are not deleted. */
export function showInResourceManager(vaultCall: VaultCall, key: VaultKey): void {
  const { call, vault } = vaultCall;
  if (isHsm(vault)) return;
  const { name, versions, deleted, rotation } = key;
  const id = idOf(vaultCall, key);
  const { resources } = call.state;
  for (const each of resourcesByScope.namesOf(resources, keyOf(id))) delete resources[each];
  const last = versions.at(-1);
  if (deleted !== undefined || last === undefined) return;
  const type = "Microsoft.KeyVault/vaults/keys";
  const inArm = (version: KeyVersion) => armProperties(version, recoveryLevelOf(vault.properties));
  const beside = { location: vault.location, ...(last.tags && { tags: last.tags }) };
  const properties = { ...inArm(last), ...(rotation && { rotationPolicy: rotation }), version: last.version };
  resources[keyOf(id)] = { id, name, type, beside, createdAt: call.now, properties };
  for (const version of versions) {
    const versionId = `${id}/versions/${version.version}`;
    const shown = { id: versionId, name: version.version, type: `${type}/versions`, createdAt: call.now };
    resources[keyOf(versionId)] = { ...shown, properties: inArm(version) };
  }
}

function armProperties({ kty, size, curve, ops, attributes }: KeyVersion, recoveryLevel: string): Record<string, unknown> {
  return {
    kty,
    ...(size !== undefined && { keySize: size }),
    ...(curve !== undefined && { curveName: curve }),
    keyOps: ops,
    attributes: { ...attributes, recoveryLevel, exportable: false },
  };
}

/** What each usage of a certificate lets its key do. */
const opsOfUsage: Readonly<Record<string, readonly (typeof rsaOps)[number][]>> = {
  cRLSign: ["sign", "verify"],
  dataEncipherment: ["encrypt", "decrypt"],
  decipherOnly: ["decrypt"],
  digitalSignature: ["sign", "verify"],
  encipherOnly: ["encrypt"],
  keyCertSign: ["sign", "verify"],
  keyEncipherment: ["wrapKey", "unwrapKey"],
  nonRepudiation: ["sign", "verify"],
};

function opsOf({ x509_props }: CertificatePolicy): string[] {
  const allowed = x509_props.key_usage.flatMap((usage) => opsOfUsage[usage] ?? []);
  return rsaOps.filter((one) => allowed.includes(one));
}

/** The key of a certificate: it can be used, and is changed only through its certificate. */
export function managedKey({ name, policy, versions, deleted }: VaultCertificate): VaultKey {
  return {
    name,
    versions: versions.map(({ version, key, tags, attributes }) => ({
      version,
      kty: "RSA" as const,
      ops: opsOf(policy as unknown as CertificatePolicy),
      key,
      ...(tags !== undefined && { tags }),
      attributes,
    })),
    ...(deleted !== undefined && { deleted }),
  };
}

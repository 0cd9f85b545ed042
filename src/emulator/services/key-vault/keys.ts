/** The keys of a vault and their rotation policies. */
import { z } from "zod";
import type { Answer } from "../../core/service.js";
import { namedIn, setNamed } from "../../common/named.js";
import type { KeyVersion, VaultKey, KeyRotation } from "../../state/vault-content.js";
import { attributesBody, changedAttributes, checkTags, newAttributes, presentAttributes, tagsBody } from "./attributes.js";
import { badParameter, forbidden, notFound } from "./errors.js";
import { curves, materialOf, newEllipticKey, publicMembers, sizes } from "./key-material.js";
import { ellipticOps, isHsm, managedKey, ownKeys, rsaOps, showInResourceManager } from "./key-store.js";
import { listed, found, newVersion, readBody, urlOf, written, type VaultCall, epochSeconds } from "./vault-call.js";
import { allDeleted, checkNameIsFree, checkPurge, deletionMembers, findDeleted, live, newDeletion, requireDeleted } from "./soft-delete.js";
import { rotationOf, rotationPolicyBody } from "../../arm/types/key-vaults/rotation-policy.js";

const ops = z.array(z.enum([...rsaOps, "import"])).optional();
const keyAttributes = attributesBody.optional();

const createBody = z.strictObject({
  kty: z.enum(["RSA", "RSA-HSM", "EC", "EC-HSM"]),
  key_size: z.literal(sizes).default(2048),
  crv: z.enum(Object.keys(curves) as [keyof typeof curves, ...(keyof typeof curves)[]]).default("P-256"),
  key_ops: ops,
  attributes: keyAttributes,
  tags: tagsBody.optional(),
});
const updateBody = z.strictObject({ key_ops: ops, attributes: keyAttributes, tags: tagsBody.optional() });

/** `call.prepared` is the private key of an RSA key: see `key-material.ts`. */
export async function createKey(vaultCall: VaultCall): Promise<Answer> {
  const { call, content, name, vault } = vaultCall;
  const { kty, key_size, crv, key_ops, attributes, tags } = readBody(vaultCall, createBody);
  if (isHsm(vault)) {
    if (!kty.endsWith("-HSM")) throw badParameter(`Key type '${kty}' is not supported by a managed HSM.`);
  } else if (kty.endsWith("-HSM") && !isPremium(vault.properties)) {
    throw badParameter(`Key type '${kty}' is not supported by a standard vault.`);
  }
  const keys = ownKeys(vaultCall);
  const existing = namedIn(keys, name.toLowerCase());
  checkNameIsFree(call, existing, "Key");
  if (namedIn(content.certificates, name.toLowerCase()) !== undefined) throw managed("create");
  checkTags(tags);
  const isElliptic = kty.startsWith("EC");
  const version: KeyVersion = {
    version: newVersion(vaultCall),
    kty,
    ...(isElliptic ? { curve: crv, key: newEllipticKey(crv) } : { size: key_size, ...asKey(call.prepared) }),
    ops: key_ops ?? [...(isElliptic ? ellipticOps : rsaOps)],
    ...(tags !== undefined && { tags }),
    attributes: newAttributes(vaultCall, attributes),
  };
  return add(vaultCall, existing ?? { name, versions: [] }, version);
}

/** A new version like the current one. */
export async function rotateKey(vaultCall: VaultCall): Promise<Answer> {
  const key = requireOwn(vaultCall, "rotate");
  const { key: _material, ...like } = currentVersion(key);
  const exp = expiryOf(key, vaultCall.call.now);
  return add(vaultCall, key, {
    ...like,
    version: newVersion(vaultCall),
    attributes: newAttributes(vaultCall, exp === undefined ? {} : { exp }),
  });
}

/** Epoch seconds: the rotation policy says how long a version is valid. */
function expiryOf({ rotation }: VaultKey, now: number): number | undefined {
  const [, years = 0, months = 0, days = 0] =
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?$/.exec(rotation?.attributes.expiryTime ?? "")?.map(Number) ?? [];
  if (rotation?.attributes.expiryTime === undefined) return undefined;
  const end = new Date(now);
  end.setUTCMonth(end.getUTCMonth() + 12 * (years || 0) + (months || 0));
  end.setUTCDate(end.getUTCDate() + (days || 0));
  return epochSeconds(end.getTime());
}

async function add(vaultCall: VaultCall, key: VaultKey, version: KeyVersion): Promise<Answer> {
  key.versions.push(version);
  const keys = ownKeys(vaultCall);
  setNamed(keys, key.name.toLowerCase(), key);
  vaultCall.content.keys = keys;
  showInResourceManager(vaultCall, key);
  return written(vaultCall, 200, await present(vaultCall, key, version), "secret.put");
}

export async function getKey(vaultCall: VaultCall): Promise<Answer> {
  const key = requireKey(vaultCall);
  return found(vaultCall, await present(vaultCall, key, versionOf(vaultCall, key)));
}

export async function updateKey(vaultCall: VaultCall): Promise<Answer> {
  const { key_ops, attributes, tags } = readBody(vaultCall, updateBody);
  const key = requireOwn(vaultCall, "update");
  checkTags(tags);
  const version = versionOf(vaultCall, key);
  if (key_ops !== undefined) version.ops = key_ops;
  if (tags !== undefined) version.tags = tags;
  version.attributes = changedAttributes(vaultCall, version.attributes, attributes);
  showInResourceManager(vaultCall, key);
  return written(vaultCall, 200, await present(vaultCall, key, version), "secret.put");
}

export function listKeys(vaultCall: VaultCall): Answer {
  const all = Object.values(allKeys(vaultCall)).filter(({ deleted, versions }) => deleted === undefined && versions.length > 0);
  return listed(
    vaultCall,
    all.map((key) => item(vaultCall, key, currentVersion(key), [])),
  );
}

/** An empty list for a key that does not exist. */
export function listKeyVersions(vaultCall: VaultCall): Answer {
  const key = live(allKeys(vaultCall), vaultCall.name);
  return listed(vaultCall, key?.versions.map((version) => item(vaultCall, key, version, [version.version])) ?? []);
}

export async function deleteKey(vaultCall: VaultCall): Promise<Answer> {
  const key = requireOwn(vaultCall, "delete");
  key.deleted = newDeletion(vaultCall.call);
  showInResourceManager(vaultCall, key);
  return written(vaultCall, 200, await presentDeleted(vaultCall, key), "secret.put");
}

export function listDeletedKeys(vaultCall: VaultCall): Answer {
  return listed(
    vaultCall,
    allDeleted(vaultCall, ownKeys(vaultCall)).map((key) => ({
      ...item(vaultCall, key, currentVersion(key), []),
      ...deletionMembers(vaultCall, "deletedkeys", key),
    })),
  );
}

export async function getDeletedKey(vaultCall: VaultCall): Promise<Answer> {
  return found(vaultCall, await presentDeleted(vaultCall, findDeleted(vaultCall, ownKeys(vaultCall), "Key")));
}

export async function recoverKey(vaultCall: VaultCall): Promise<Answer> {
  const key = requireDeleted(vaultCall, ownKeys(vaultCall), "Key");
  delete key.deleted;
  showInResourceManager(vaultCall, key);
  return written(vaultCall, 200, await present(vaultCall, key, currentVersion(key)), "secret.put");
}

export function purgeKey(vaultCall: VaultCall): Answer {
  const keys = ownKeys(vaultCall);
  const key = requireDeleted(vaultCall, keys, "Key");
  checkPurge(vaultCall);
  delete keys[key.name.toLowerCase()];
  return written(vaultCall, 204, undefined, "secret.put");
}

/** @throws ApiError 404 */
export function requireKey(vaultCall: VaultCall): VaultKey {
  const key = live(allKeys(vaultCall), vaultCall.name);
  if (key === undefined || key.versions.length === 0) throw notFound("Key", vaultCall.name);
  return key;
}

export function versionOf({ version: wanted, name }: VaultCall, key: VaultKey): KeyVersion {
  if (wanted === undefined) return currentVersion(key);
  const version = key.versions.find((one) => one.version === wanted.toLowerCase());
  if (version === undefined) throw notFound("Key", `${name}/${wanted}`);
  return version;
}

export function keyId(vaultCall: VaultCall, { name }: VaultKey, { version }: KeyVersion): string {
  return urlOf(vaultCall, "keys", name, version);
}

function allKeys(vaultCall: VaultCall): Record<string, VaultKey> {
  const managedKeys = Object.entries(vaultCall.content.certificates).map(([name, certificate]) => [name, managedKey(certificate)] as const);
  return { ...ownKeys(vaultCall), ...Object.fromEntries(managedKeys) };
}

/** @throws ApiError 404, and 403 for the key of a certificate. */
function requireOwn(vaultCall: VaultCall, operation: string): VaultKey {
  const key = requireKey(vaultCall);
  if (isManaged(vaultCall, key)) throw managed(operation);
  return key;
}

function isManaged({ content }: VaultCall, { name }: VaultKey): boolean {
  return namedIn(content.certificates, name.toLowerCase()) !== undefined;
}

function managed(operation: string): Error {
  return forbidden(`Operation ${operation} is not allowed on a key that is managed by a certificate of the same name.`);
}

function currentVersion({ name, versions }: VaultKey): KeyVersion {
  const version = versions.at(-1);
  if (version === undefined) throw new Error(`the key ${name} has no version`);
  return version;
}

export async function presentRestoredKey(vaultCall: VaultCall, key: VaultKey): Promise<Record<string, unknown>> {
  return present(vaultCall, key, currentVersion(key));
}

function isPremium(properties: Readonly<Record<string, unknown>>): boolean {
  return (properties["sku"] as { readonly name?: string } | undefined)?.name?.toLowerCase() === "premium";
}

function asKey(prepared: unknown): { key?: string } {
  return typeof prepared === "string" ? { key: prepared } : {};
}

async function present(vaultCall: VaultCall, key: VaultKey, version: KeyVersion): Promise<Record<string, unknown>> {
  const { kid: _kid, ...others } = item(vaultCall, key, version, [version.version]);
  const members = publicMembers(await materialOf(version), version.curve);
  return { key: { kid: keyId(vaultCall, key, version), kty: version.kty, key_ops: version.ops, ...members }, ...others };
}

function item(vaultCall: VaultCall, key: VaultKey, version: KeyVersion, versionSegment: readonly string[]): Record<string, unknown> {
  const { attributes, tags } = version;
  return {
    kid: urlOf(vaultCall, "keys", key.name, ...versionSegment),
    attributes: {
      ...presentAttributes(vaultCall, attributes),
      ...(!isManaged(vaultCall, key) && { exportable: false }),
      ...(namesPlatform(vaultCall) && { hsmPlatform: version.kty.endsWith("-HSM") ? "2" : "0" }),
    },
    ...(tags !== undefined && { tags }),
    ...(isManaged(vaultCall, key) && { managed: true }),
  };
}

/** Versions say since 7.5 what protects a key: 0 is software. */
function namesPlatform({ call }: VaultCall): boolean {
  return (call.request.query.get("api-version") ?? "") >= "7.5" || /^20/.test(call.request.query.get("api-version") ?? "");
}

async function presentDeleted(vaultCall: VaultCall, key: VaultKey): Promise<Record<string, unknown>> {
  return { ...deletionMembers(vaultCall, "deletedkeys", key), ...(await present(vaultCall, key, currentVersion(key))) };
}

/** The rotation policies of keys: read and written. Nothing rotates a key by itself here. */
export function getRotationPolicy(vaultCall: VaultCall): Answer {
  return found(vaultCall, presentRotation(vaultCall, requireOwn(vaultCall, "getrotationpolicy")));
}

export function setRotationPolicy(vaultCall: VaultCall): Answer {
  const key = requireOwn(vaultCall, "setrotationpolicy");
  key.rotation = rotationOf(readBody(vaultCall, rotationPolicyBody), epochSeconds(vaultCall.call.now), key.rotation);
  showInResourceManager(vaultCall, key);
  return written(vaultCall, 200, presentRotation(vaultCall, key), "secret.put");
}

/** Every key has this one until it gets another. */
const byDefault: Pick<KeyRotation, "lifetimeActions"> = {
  lifetimeActions: [{ trigger: { timeBeforeExpiry: "P30D" }, action: { type: "notify" } }],
};
const spelled = { rotate: "Rotate", notify: "Notify" } as const;

function presentRotation(vaultCall: VaultCall, { name, rotation }: VaultKey): Record<string, unknown> {
  const { lifetimeActions } = rotation ?? byDefault;
  return {
    id: urlOf(vaultCall, "keys", name, "rotationpolicy"),
    lifetimeActions: lifetimeActions.map(({ trigger, action }) => ({ trigger, action: { type: spelled[action.type] } })),
    attributes: rotation?.attributes ?? {},
  };
}

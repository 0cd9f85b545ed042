/** The secrets of a vault, read-only for those of certificates. */
import { z } from "zod";
import type { Answer } from "../../core/service.js";
import type { SecretVersion, VaultSecret } from "../../state/vault-content.js";
import { attributesBody, changedAttributes, checkTags, newAttributes, presentAttributes, tagsBody } from "./attributes.js";
import { badParameter, forbidden, notFound } from "./errors.js";
import { listed, found, newVersion, readBody, urlOf, written, type VaultCall } from "./vault-call.js";
import {
  allDeleted,
  checkNameIsFree,
  checkPurge,
  deletionMembers,
  findDeleted,
  live,
  newDeletion,
  requireDeleted,
  requireLive,
} from "./soft-delete.js";
import { namedIn, setNamed } from "../../common/named.js";

/** 25 kB. */
const longestValue = 25_600;
const longestContentType = 255;

const setBody = z.strictObject({
  value: z.string(),
  contentType: z.string().max(longestContentType).optional(),
  attributes: attributesBody.optional(),
  tags: tagsBody.optional(),
});
const updateBody = setBody.omit({ value: true });

export function setSecret(vaultCall: VaultCall): Answer {
  const { call, content, name } = vaultCall;
  const { value, contentType, attributes, tags } = readBody(vaultCall, setBody);
  const key = name.toLowerCase();
  const existing = namedIn(content.secrets, key);
  checkNameIsFree(call, existing, "Secret");
  if (namedIn(content.certificates, key) !== undefined) throw forbiddenOfManaged("set");
  if (value.length > longestValue) throw badParameter(`The secret value exceeds the limit of ${String(longestValue)} characters.`);
  checkTags(tags);
  const secret: VaultSecret = existing ?? { name, versions: [] };
  setNamed(content.secrets, key, secret);
  const version: SecretVersion = {
    version: newVersion(vaultCall),
    value,
    ...(contentType !== undefined && { contentType }),
    ...(tags !== undefined && { tags }),
    attributes: newAttributes(vaultCall, attributes),
  };
  secret.versions.push(version);
  return written(vaultCall, 200, { value, ...present(vaultCall, secret, version) }, "secret.put");
}

export function getSecret(vaultCall: VaultCall): Answer {
  const secret = requireLive(vaultCall.content.secrets, "Secret", vaultCall.name);
  const version = versionOf(vaultCall, secret);
  // Times outside nbf and exp have no effect: they are informational.
  if (!version.attributes.enabled) throw forbidden("Operation get is not allowed on a disabled secret.", "SecretDisabled");
  return found(vaultCall, { value: version.value, ...present(vaultCall, secret, version) });
}

export function updateSecret(vaultCall: VaultCall): Answer {
  const { contentType, attributes, tags } = readBody(vaultCall, updateBody);
  const secret = requireLive(vaultCall.content.secrets, "Secret", vaultCall.name);
  if (secret.managed) throw forbiddenOfManaged("update");
  checkTags(tags);
  const version = versionOf(vaultCall, secret);
  if (contentType !== undefined) version.contentType = contentType;
  if (tags !== undefined) version.tags = tags;
  version.attributes = changedAttributes(vaultCall, version.attributes, attributes);
  return written(vaultCall, 200, present(vaultCall, secret, version), "secret.put");
}

export function listSecrets(vaultCall: VaultCall): Answer {
  const { secrets } = vaultCall.content;
  const all = Object.values(secrets).filter(({ name }) => live(secrets, name) !== undefined);
  return listed(
    vaultCall,
    all.map((secret) => item(vaultCall, secret, currentVersion(secret), [])),
  );
}

export function listSecretVersions(vaultCall: VaultCall): Answer {
  const secret = live(vaultCall.content.secrets, vaultCall.name);
  // Azure answers an empty list for a missing secret.
  return listed(vaultCall, secret?.versions.map((version) => item(vaultCall, secret, version, [version.version])) ?? []);
}

export function deleteSecret(vaultCall: VaultCall): Answer {
  const secret = requireLive(vaultCall.content.secrets, "Secret", vaultCall.name);
  if (secret.managed) throw forbiddenOfManaged("delete");
  secret.deleted = newDeletion(vaultCall.call);
  return written(vaultCall, 200, presentDeleted(vaultCall, secret, [currentVersion(secret).version]), "secret.put");
}

export function listDeletedSecrets(vaultCall: VaultCall): Answer {
  const all = allDeleted(vaultCall, vaultCall.content.secrets);
  return listed(
    vaultCall,
    all.map((secret) => presentDeleted(vaultCall, secret, [])),
  );
}

export function getDeletedSecret(vaultCall: VaultCall): Answer {
  const secret = findDeleted(vaultCall, vaultCall.content.secrets, "Secret");
  return found(vaultCall, presentDeleted(vaultCall, secret, [currentVersion(secret).version]));
}

export function recoverSecret(vaultCall: VaultCall): Answer {
  const secret = requireDeleted(vaultCall, vaultCall.content.secrets, "Secret");
  if (secret.managed) throw forbiddenOfManaged("recover");
  delete secret.deleted;
  return written(vaultCall, 200, present(vaultCall, secret, currentVersion(secret)), "secret.put");
}

export function purgeSecret(vaultCall: VaultCall): Answer {
  const secret = requireDeleted(vaultCall, vaultCall.content.secrets, "Secret");
  if (secret.managed) throw forbiddenOfManaged("purge");
  checkPurge(vaultCall);
  delete vaultCall.content.secrets[secret.name.toLowerCase()];
  return written(vaultCall, 204, undefined, "secret.put");
}

export function forbiddenOfManaged(operation: string): Error {
  return forbidden(`Operation ${operation} is not allowed on a secret that is managed by a certificate of the same name.`);
}

function currentVersion({ name, versions }: VaultSecret): SecretVersion {
  const version = versions.at(-1);
  if (version === undefined) throw new Error(`the secret ${name} has no version`);
  return version;
}

function versionOf({ version: wanted, name }: VaultCall, secret: VaultSecret): SecretVersion {
  if (wanted === undefined) return currentVersion(secret);
  const version = secret.versions.find((one) => one.version === wanted.toLowerCase());
  if (version === undefined) throw notFound("Secret", `${name}/${wanted}`);
  return version;
}

/** Answered without the value. */
export function presentRestoredSecret(vaultCall: VaultCall, secret: VaultSecret): Record<string, unknown> {
  return present(vaultCall, secret, currentVersion(secret));
}

/** Everything except for the value. */
function present(vaultCall: VaultCall, secret: VaultSecret, version: SecretVersion): Record<string, unknown> {
  return {
    ...item(vaultCall, secret, version, [version.version]),
    ...(secret.managed && { kid: urlOf(vaultCall, "keys", secret.name, version.version) }),
  };
}

function item(
  vaultCall: VaultCall,
  secret: VaultSecret,
  version: SecretVersion,
  versionSegment: readonly string[],
): Record<string, unknown> {
  const { contentType, tags, attributes } = version;
  return {
    id: urlOf(vaultCall, "secrets", secret.name, ...versionSegment),
    ...(contentType !== undefined && { contentType }),
    attributes: presentAttributes(vaultCall, attributes),
    ...(tags !== undefined && { tags }),
    ...(secret.managed && { managed: true }),
  };
}

function presentDeleted(vaultCall: VaultCall, secret: VaultSecret, versionSegment: readonly string[]): Record<string, unknown> {
  return {
    ...deletionMembers(vaultCall, "deletedsecrets", secret),
    ...item(vaultCall, secret, currentVersion(secret), versionSegment),
  };
}

/** Backups of secrets, keys and certificates: sealed by the state, opened again only in a vault of it. */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { z } from "zod";
import type { Answer } from "../../core/service.js";
import { namedIn, setNamed } from "../../common/named.js";
import type { VaultCertificate, VaultKey, VaultSecret } from "../../state/vault-content.js";
import type { AzureState } from "../../state/state.js";
import { badParameter, conflict, type Noun } from "./errors.js";
import { ownKeys, showInResourceManager } from "./key-store.js";
import { checkNameIsFree, requireLive } from "./soft-delete.js";
import { found, readBody, written, type VaultCall } from "./vault-call.js";
import { forbiddenOfManaged, presentRestoredSecret } from "./secrets.js";
import { presentRestoredKey } from "./keys.js";
import { presentRestoredCertificate } from "./certificates.js";
import { plainCopy } from "../../state/plain-copy.js";

interface Content {
  readonly secret?: VaultSecret | undefined;
  readonly key?: VaultKey;
  readonly certificate?: VaultCertificate;
}

const restoreBody = z.strictObject({ value: z.string() });

export function backupSecret(vaultCall: VaultCall): Answer {
  const secret = requireLive(vaultCall.content.secrets, "Secret", vaultCall.name);
  if (secret.managed) throw forbiddenOfManaged("backup");
  return sealed(vaultCall, "Secret", { secret });
}

export function restoreSecret(vaultCall: VaultCall): Answer {
  const { secret } = opened(vaultCall, "Secret");
  if (secret === undefined) throw notABackup("Secret");
  requireFreeName(vaultCall, secret.name);
  setNamed(vaultCall.content.secrets, secret.name.toLowerCase(), secret);
  return written(vaultCall, 200, presentRestoredSecret(vaultCall, secret), "secret.put");
}

export function backupKey(vaultCall: VaultCall): Answer {
  return sealed(vaultCall, "Key", { key: requireLive(ownKeys(vaultCall), "Key", vaultCall.name) });
}

export async function restoreKey(vaultCall: VaultCall): Promise<Answer> {
  const { key } = opened(vaultCall, "Key");
  if (key === undefined) throw notABackup("Key");
  requireFreeName(vaultCall, key.name);
  const keys = ownKeys(vaultCall);
  setNamed(keys, key.name.toLowerCase(), key);
  vaultCall.content.keys = keys;
  showInResourceManager(vaultCall, key);
  return written(vaultCall, 200, await presentRestoredKey(vaultCall, key), "secret.put");
}

/** With the secret of its name, which has its private keys. */
export function backupCertificate(vaultCall: VaultCall): Answer {
  const { content, name } = vaultCall;
  const { pending: _notKept, ...certificate } = requireLive(content.certificates, "Certificate", name);
  return sealed(vaultCall, "Certificate", { certificate, secret: namedIn(content.secrets, name.toLowerCase()) });
}

export function restoreCertificate(vaultCall: VaultCall): Answer {
  const { certificate, secret } = opened(vaultCall, "Certificate");
  if (certificate === undefined) throw notABackup("Certificate");
  requireFreeName(vaultCall, certificate.name);
  setNamed(vaultCall.content.certificates, certificate.name.toLowerCase(), certificate);
  if (secret !== undefined) setNamed(vaultCall.content.secrets, secret.name.toLowerCase(), secret);
  return written(vaultCall, 200, presentRestoredCertificate(vaultCall, certificate), "secret.put");
}

/** A name that is deleted, but not purged, is not free either. @throws ApiError 409 */
function requireFreeName(vaultCall: VaultCall, name: string): void {
  const { call, content } = vaultCall;
  const key = name.toLowerCase();
  const held = [
    ["Certificate", namedIn(content.certificates, key)],
    ["Secret", namedIn(content.secrets, key)],
    ["Key", namedIn(ownKeys(vaultCall), key)],
  ] as const;
  for (const [noun, object] of held) {
    if (object === undefined) continue;
    checkNameIsFree(call, object, noun);
    throw conflict(`There was a conflict restoring the ${noun.toLowerCase()} ${name}: one with this name exists already.`, "ObjectExists");
  }
}

function sealed(vaultCall: VaultCall, noun: Noun, content: Content): Answer {
  const { state, uuid } = vaultCall.call;
  const nonce = Buffer.from(uuid().replaceAll("-", ""), "hex").subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(state, noun), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(plainCopy(content))), cipher.final()]);
  return found(vaultCall, { value: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url") });
}

function opened(vaultCall: VaultCall, noun: Noun): Content {
  const sent = Buffer.from(readBody(vaultCall, restoreBody).value, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(vaultCall.call.state, noun), sent.subarray(0, 12));
    decipher.setAuthTag(sent.subarray(12, 28));
    return JSON.parse(Buffer.concat([decipher.update(sent.subarray(28)), decipher.final()]).toString()) as Content;
  } catch {
    throw notABackup(noun);
  }
}

function notABackup(noun: Noun): Error {
  return badParameter(`Backup blob is corrupt or is not a backup of a ${noun.toLowerCase()}.`);
}

function keyOf({ tokenKey }: AzureState, noun: Noun): Buffer {
  return createHash("sha256").update(`backup ${noun} ${tokenKey}`).digest();
}

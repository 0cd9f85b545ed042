/** What the keys of a vault do: RSA signatures of digests, and RSA encryption. */
import { constants, privateDecrypt, privateEncrypt, publicDecrypt, publicEncrypt } from "node:crypto";
import { z } from "zod";
import { ApiError, type Answer } from "../../core/service.js";
import { badParameter, forbidden, notEmulated } from "./errors.js";
import { keyId, requireKey, versionOf } from "./keys.js";
import { materialOf } from "./key-material.js";
import { found, readBody, type VaultCall } from "./vault-call.js";

const base64url = z.base64url().transform((text) => Buffer.from(text, "base64url"));
const body = z.strictObject({ alg: z.string(), value: base64url });
const verifyBody = z.strictObject({ alg: z.string(), value: base64url, digest: base64url });

export const encrypt = transform("encrypt", (key, alg, value) => publicEncrypt({ key, ...paddingOf(alg) }, value));
export const decrypt = transform("decrypt", (key, alg, value) => privateDecrypt({ key, ...paddingOf(alg) }, value));
export const wrapKey = transform("wrapKey", (key, alg, value) => publicEncrypt({ key, ...paddingOf(alg) }, value));
export const unwrapKey = transform("unwrapKey", (key, alg, value) => privateDecrypt({ key, ...paddingOf(alg) }, value));
export const sign = transform("sign", (key, alg, digest) => privateEncrypt(key, encodedDigest(alg, digest)));

export async function verify(vaultCall: VaultCall): Promise<Answer> {
  const { alg, value, digest } = readBody(vaultCall, verifyBody);
  const { key } = await usable(vaultCall, "verify");
  return found(vaultCall, { value: isSignature(key, value, encodedDigest(alg, digest)) });
}

function isSignature(key: string, signature: Buffer, encoded: Buffer): boolean {
  try {
    return publicDecrypt(key, signature).equals(encoded);
  } catch {
    return false;
  }
}

/** An operation that answers bytes for bytes. */
function transform(operation: string, apply: (key: string, alg: string, value: Buffer) => Buffer) {
  return async (vaultCall: VaultCall): Promise<Answer> => {
    const { alg, value } = readBody(vaultCall, body);
    const { key, kid } = await usable(vaultCall, operation);
    try {
      return found(vaultCall, { kid, value: apply(key, alg, value).toString("base64url") });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw badParameter(`The parameter is incorrect: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** @throws ApiError 403 for a disabled key, and for an operation that is not among its own. */
async function usable(vaultCall: VaultCall, operation: string): Promise<{ readonly key: string; readonly kid: string }> {
  const key = requireKey(vaultCall);
  const version = versionOf(vaultCall, key);
  if (!version.attributes.enabled) throw forbidden(`Operation ${operation} is not allowed on a disabled key.`, "KeyDisabled");
  if (!version.ops.includes(operation)) throw forbidden(`Operation ${operation} is not permitted on this key.`, "KeyOperationForbidden");
  if (version.curve !== undefined) throw notEmulated(`Operation ${operation} of an elliptic key`);
  return { key: await materialOf(version), kid: keyId(vaultCall, key, version) };
}

function paddingOf(alg: string): { readonly padding: number; readonly oaepHash: string } {
  if (alg === "RSA-OAEP") return { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" };
  if (alg === "RSA-OAEP-256") return { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  throw notEmulated(`The algorithm '${alg}'`);
}

/** The start of a DigestInfo (RFC 8017, 9.2), and the length of its digest. */
const digests: Readonly<Record<string, { readonly head: string; readonly bytes: number }>> = {
  RS256: { head: "3031300d060960864801650304020105000420", bytes: 32 },
  RS384: { head: "3041300d060960864801650304020205000430", bytes: 48 },
  RS512: { head: "3051300d060960864801650304020305000440", bytes: 64 },
};

function encodedDigest(alg: string, digest: Buffer): Buffer {
  const known = Object.hasOwn(digests, alg) ? digests[alg] : undefined;
  if (known === undefined) throw notEmulated(`The algorithm '${alg}'`);
  if (digest.length !== known.bytes)
    throw badParameter(`Invalid length of 'value': ${String(digest.length)} bytes, but ${alg} needs ${String(known.bytes)}.`);
  return Buffer.concat([Buffer.from(known.head, "hex"), digest]);
}

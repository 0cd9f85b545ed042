/** The key that signs service-account tokens: created, and its public key in the formats that others read. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

/** The length that the OpenShift installer's tools use. */
const modulusLength = 4096;
/** The minimum for RS256: RFC 7518, 3.3. */
const leastBits = 2048;

/** A public key as an issuer publishes it: RFC 7517, with the members that kube-apiserver publishes. */
export interface Jwk {
  readonly use: "sig";
  readonly kty: "RSA";
  /** As in the header of the tokens: unpadded base64url of the SHA-256 of the key's DER (SubjectPublicKeyInfo), as kube-apiserver computes it. */
  readonly kid: string;
  readonly alg: "RS256";
  readonly n: string;
  readonly e: string;
}

/** A new private key, PEM of PKCS#1. Takes a second or more, on another thread, so signals are still handled. */
export async function makePrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength });
  return privateKey.export({ type: "pkcs1", format: "pem" }).toString();
}

/**
 * The public key of a private key, PEM of SubjectPublicKeyInfo. `where` names the source of the text.
 * @throws ARO-KEY-001
 */
export function publicHalf(privatePem: string, where: string): string {
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(privatePem)) {
    throw unusable(where, "is encrypted; HyperShift supports only keys without a passphrase");
  }
  const key = parsed(() => createPrivateKey(privatePem), where, "is not a private key in PEM");
  requireRsa(key, where);
  return createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
}

/**
 * A public key as published.
 * @throws ARO-KEY-001; refuses a private key, although its public key could be derived
 */
export function jwkOf(publicPem: string, where: string): Jwk {
  if (publicPem.includes("PRIVATE KEY")) throw unusable(where, "is a private key; pass its public key, and keep the private key secret");
  if (publicPem.includes("BEGIN CERTIFICATE"))
    throw unusable(where, "is a certificate; extract its public key with `openssl x509 -pubkey -noout`");
  const keys = publicPem.match(/-----BEGIN (?:RSA )?PUBLIC KEY-----/g) ?? [];
  if (keys.length === 0) throw unusable(where, "is not a public key in PEM");
  // OpenSSL reads the first, and ignores the others.
  if (keys.length > 1) throw unusable(where, `has ${plural(keys.length, "key")}; pass each key in its own file`);
  const key = parsed(() => createPublicKey(publicPem), where, "is not a public key in PEM");
  requireRsa(key, where);
  const { n = "", e = "" } = key.export({ format: "jwk" });
  return { use: "sig", kty: "RSA", kid: kidOf(key), alg: "RS256", n, e };
}

function kidOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
}

function parsed(parse: () => KeyObject, where: string, otherwise: string): KeyObject {
  try {
    return parse();
  } catch {
    // OpenSSL's message says less, and might quote the key.
    throw unusable(where, otherwise);
  }
}

function requireRsa({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, where: string): void {
  if (asymmetricKeyType !== "rsa")
    throw unusable(where, `has key type ${asymmetricKeyType ?? "unknown"}, not RSA; tokens are signed with RS256`);
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < leastBits) throw unusable(where, `has ${plural(bits, "bit")}; at least ${String(leastBits)} are required`);
}

function unusable(where: string, what: string): Failure {
  return new Failure("ARO-KEY-001", `${where} ${what}`);
}

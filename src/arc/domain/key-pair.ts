/** The onboarding key of a connected cluster: the agents get its private key, and Azure its public key. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";

/** The length that `az connectedk8s connect` chooses. */
const modulusLength = 4096;

/** A new private key, PEM of PKCS#1. It takes a second or more, on another thread, so signals are still handled. */
export async function makeOnboardingKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength });
  return privateKey.export({ type: "pkcs1", format: "pem" }).toString();
}

/**
 * `agentPublicKeyCertificate`: in spite of that name, base64 of the PKCS#1 DER of the public key. `where` names the source of the text.
 * @throws ARO-KEY-001
 */
export function agentPublicKey(privatePem: string, where: string): string {
  const key = privateKeyIn(privatePem, where);
  return createPublicKey(key).export({ type: "pkcs1", format: "der" }).toString("base64");
}

function privateKeyIn(privatePem: string, where: string): KeyObject {
  if (!privatePem.includes("-----BEGIN RSA PRIVATE KEY-----") || /^Proc-Type: 4,ENCRYPTED/m.test(privatePem))
    throw unusable(where, "is not an RSA private key in PEM of PKCS#1 without a passphrase");
  let key: KeyObject;
  try {
    key = createPrivateKey(privatePem);
  } catch {
    // OpenSSL's message says less, and might quote the key.
    throw unusable(where, "is not an RSA private key in PEM");
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < modulusLength) throw unusable(where, `has ${plural(bits, "bit")}; Azure Arc uses ${String(modulusLength)}`);
  return key;
}

function unusable(where: string, what: string): Failure {
  return new Failure("ARO-KEY-001", `${where} ${what}`, {
    next: [
      "if the cluster is connected, restore the key that its agents have",
      "otherwise delete the file, and rerun create arc: it makes a new key",
    ],
  });
}

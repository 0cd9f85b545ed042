/** The private keys behind the keys of a vault, and their public halves as JSON Web Keys. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { z } from "zod";
import type { ApiRequest } from "../../core/service.js";
import type { KeyVersion } from "../../state/vault-content.js";
import { newKey } from "./make-certificate.js";

/** The curves of a vault, by OpenSSL's names for them. */
export const curves = { "P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1", "P-256K": "secp256k1" } as const;
export const sizes = [2048, 3072, 4096] as const;

const wanted = z.looseObject({ kty: z.enum(["RSA", "RSA-HSM"]), key_size: z.literal(sizes).default(2048) });

/** The key that a request will need, made before its answer is computed; undefined if that is none that takes long. */
export async function keyFor(request: ApiRequest): Promise<string | undefined> {
  const read = wanted.safeParse(bodyOf(request));
  return read.success ? newKey(read.data.key_size) : undefined;
}

const ofPolicy = z.looseObject({
  policy: z.looseObject({ key_props: z.looseObject({ key_size: z.literal(sizes).default(2048) }).optional() }),
});

/** The key of a certificate that is ordered: the request for it, which the answer has, needs it. */
export async function keyForCertificate(request: ApiRequest): Promise<string> {
  const read = ofPolicy.safeParse(bodyOf(request));
  return newKey(read.data?.policy.key_props?.key_size ?? 2048);
}

/** A body that cannot be read is refused when the answer is computed. */
function bodyOf(request: ApiRequest): unknown {
  try {
    return request.body;
  } catch {
    return undefined;
  }
}

/** PKCS#8 PEM. */
export function newEllipticKey(curve: keyof typeof curves): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: curves[curve] });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Makes the private key of a version that has none yet. */
export async function materialOf(version: KeyVersion): Promise<string> {
  version.key ??= version.curve === undefined ? await newKey(version.size ?? 2048) : newEllipticKey(version.curve as keyof typeof curves);
  return version.key;
}

/** The members of a JSON Web Key that are the public key itself. */
export function publicMembers(key: string, curve: string | undefined): Record<string, unknown> {
  const { n, e, x, y } = createPublicKey(createPrivateKey(key)).export({ format: "jwk" });
  return curve === undefined ? { n, e } : { crv: curve, x, y };
}

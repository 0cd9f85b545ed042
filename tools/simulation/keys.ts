/** The RSA keys of all simulations: creating one takes longer than a whole run, so they are created once and given out in turn. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { KeyPair } from "./globals.js";

/** More than the keys of an identity set, so that its keys differ, before and after a rotation. Only issuers and Azure Arc use long keys. */
const counts = { 2048: 20, 4096: 2 } as const;

/** As PEM. */
export function createKeys(): string[] {
  return Object.entries(counts).flatMap(([modulusLength, count]) =>
    Array.from({ length: count }, () => {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: Number(modulusLength) });
      return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    }),
  );
}

export function keyPairs(pems: readonly string[]): KeyPair[] {
  return pems.map((pem) => ({ privateKey: createPrivateKey(pem), publicKey: createPublicKey(pem) }));
}

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { calculateJwkThumbprint, importJWK, jwtVerify, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { jwkOf, makePrivateKey, publicHalf } from "../../src/oidc/signing-key.js";
import { forgetKeys } from "../harness/key-pool.js";

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});

describe("makePrivateKey", () => {
  test("makes an RSA key of 4096 bits in PKCS#1, while other work goes on", async () => {
    forgetKeys();
    const ended: string[] = [];
    const made = makePrivateKey().finally(() => ended.push("key"));
    await setImmediate();
    ended.push("other work");
    const pem = await made;
    expect(pem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
    expect(createPrivateKey(pem).asymmetricKeyDetails?.modulusLength).toBe(4096);
    expect(ended).toEqual(["other work", "key"]);
  });
});

describe("publicHalf", () => {
  test("tells the public key of a private one as SubjectPublicKeyInfo", () => {
    expect(publicHalf(pair.privateKey, "a.private")).toBe(pair.publicKey);
  });

  test.each([
    ["", "is not a private key"],
    ["not PEM", "is not a private key"],
    [pair.publicKey, "is not a private key"],
    [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "type ec"],
    [generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString(), "1024 bits"],
    [encrypted("pkcs8"), "is encrypted"],
    [encrypted("pkcs1"), "is encrypted"],
  ])("refuses what is no RSA private key: %#", (pem, why) => {
    expect(() => publicHalf(pem, "a.private")).toThrow(expect.objectContaining({ code: "ARO-KEY-001" }));
    expect(() => publicHalf(pem, "a.private")).toThrow(why);
  });
});

describe("jwkOf", () => {
  test("has the members of kube-apiserver's keys, and the kid of its tokens", () => {
    const jwk = jwkOf(pair.publicKey, "a.public");
    expect(Object.keys(jwk)).toEqual(["use", "kty", "kid", "alg", "n", "e"]);
    expect(jwk).toMatchObject({ use: "sig", kty: "RSA", alg: "RS256", e: "AQAB" });
    const der = createPublicKey(pair.publicKey).export({ type: "spki", format: "der" });
    expect(jwk.kid).toBe(createHash("sha256").update(der).digest().toString("base64url"));
    expect(jwk.kid).toMatch(/^[\w-]{43}$/);
  });

  test("the kid is what openssl computes", () => {
    // `openssl rsa -pubin -outform DER | openssl dgst -sha256 -binary | basenc --base64url`
    const known = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq4xKPlWIXKKyxEaOAt/Q
bnZQdXIwXqPPg7mehDNaxbMK+NJEQfZp1K5oIGN3H9TPx1J4JiwBKQloyqdugbhx
k/7E7ODQuLnnxAHxDh5SZvC4HzYgJLIwnwkj/u5OeiSfpEfP/MTGgGTla32wap3K
O5rfMQ90+w9/dKPLGp7Cv9tRE2GYx/hguEUQuVPseI7q9oLLIRQ8i+gsgEVx9bik
dUdFMh4ZrxiKaDy32giZu4qjuZbEU1Xmcb1fkX3MyzEOG1NBodcgE0vIX0+7zZlV
aHRVFQsBI127cpD0Od5fkCs3CJwQjL4CYX5OGBpgrai3DBLrxaiqJNAPyMzYzykb
YQIDAQAB
-----END PUBLIC KEY-----
`;
    expect(jwkOf(known, "known").kid).toBe("rwniW8v3yA61njGi6eyaEkLtfLF7uujdPTAKEf-x0Bw");
  });

  test("verifies what the private key signed", async () => {
    const jwk = jwkOf(pair.publicKey, "a.public");
    const token = await new SignJWT({ sub: "x" })
      .setProtectedHeader({ alg: "RS256", kid: jwk.kid })
      .sign(createPrivateKey(pair.privateKey));
    expect((await jwtVerify(token, await importJWK({ ...jwk }))).payload.sub).toBe("x");
    expect(await calculateJwkThumbprint({ ...jwk })).not.toBe(jwk.kid);
  });

  test.each([
    ["", "is not a public key"],
    ["not PEM", "is not a public key"],
    ["-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "is not a public key"],
    [pair.privateKey, "is a private key"],
    ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "is a certificate"],
    [JSON.stringify({ keys: [] }), "is not a public key in PEM"],
    [`${pair.publicKey}${pair.publicKey}`, "has 2 keys"],
    [generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString(), "type ed25519"],
  ])("refuses what is no RSA public key: %#", (pem, why) => {
    expect(() => jwkOf(pem, "a.public")).toThrow(expect.objectContaining({ code: "ARO-KEY-001" }));
    expect(() => jwkOf(pem, "a.public")).toThrow(why);
  });
});

function encrypted(type: "pkcs1" | "pkcs8"): string {
  const encoding = { type, format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const;
  return createPrivateKey(pair.privateKey).export(encoding).toString();
}

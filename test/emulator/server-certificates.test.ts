/** The server's certificates: created once, renewed in time, and valid for strict verifiers. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemRandom } from "../../src/emulator/random.js";
import { ensureCertificates } from "../../src/emulator/listeners/certificates.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const day = 86_400_000;

test("two servers that open a directory at the same time have one authority", async () => {
  const directory = temporaryDirectory().path;
  const [one, other] = await Promise.all([
    ensureCertificates(directory, Date.now(), systemRandom),
    ensureCertificates(directory, Date.now(), systemRandom),
  ]);
  expect(one.ca).toBe(other.ca);
  expect(readFileSync(one.caFile, "utf8")).toBe(one.ca);
  for (const { cert } of [one, other]) expect(new X509Certificate(cert).checkIssued(new X509Certificate(one.ca))).toBe(true);
});

test("the server's certificate is kept until a month before its end, then renewed by the same authority", async () => {
  const directory = temporaryDirectory().path;
  const now = Date.now();
  const first = await ensureCertificates(directory, now, systemRandom);
  expect((await ensureCertificates(directory, now + 300 * day, systemRandom)).cert).toBe(first.cert);
  const renewed = await ensureCertificates(directory, now + 370 * day, systemRandom);
  expect(renewed.cert).not.toBe(first.cert);
  expect(renewed.ca).toBe(first.ca);
  expect(Date.parse(new X509Certificate(renewed.cert).validTo)).toBeGreaterThan(now + 700 * day);
});

test("authority and server certificate have the extensions that RFC 5280 requires", async () => {
  const { ca, cert } = await ensureCertificates(temporaryDirectory().path, Date.now(), systemRandom);
  const authority = new X509Certificate(ca);
  const server = new X509Certificate(cert);
  expect([authority.ca, server.ca]).toEqual([true, false]);
  expect(server.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(server.verify(authority.publicKey)).toBe(true);
  const identifier = (certificate: X509Certificate, oid: number[]) =>
    certificate.raw.includes(Buffer.from([0x06, 0x03, 0x55, 0x1d, ...oid]));
  expect([0x0e, 0x0f, 0x13].map((oid) => identifier(authority, [oid]))).toEqual([true, true, true]);
  expect([0x0e, 0x0f, 0x11, 0x13, 0x23, 0x25].map((oid) => identifier(server, [oid]))).toEqual([true, true, true, true, true, true]);
});

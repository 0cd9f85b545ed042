/** The server's certificates: created once, renewed in time, and valid for strict verifiers. */
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { isIP, type AddressInfo } from "node:net";
import { join } from "node:path";
import { connect, createServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { systemRandom } from "../../src/emulator/common/random.js";
import { ensureCertificates } from "../../src/emulator/listeners/server-certificates.js";
import { certificatePem, issueCertificate, loadForge } from "../../src/emulator/common/x509.js";
import { firstLine } from "../../tools/cli-process.js";
import { exits } from "../cli/expectations.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { testEmulator } from "../harness/test-emulator.js";

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

test("authority and server certificate live a year, are kept until a month before their end, and then renewed", async () => {
  const directory = temporaryDirectory().path;
  const now = Date.now();
  const first = await ensureCertificates(directory, now, systemRandom);
  for (const pem of [first.ca, first.cert]) {
    const days = (Date.parse(new X509Certificate(pem).validTo) - now) / day;
    expect(Math.round(days)).toBe(365);
  }
  const kept = await ensureCertificates(directory, now + 334 * day, systemRandom);
  expect(kept).toEqual({ ...first, isReplaced: false });
  const renewed = await ensureCertificates(directory, now + 336 * day, systemRandom);
  expect([renewed.ca, renewed.cert]).not.toContain(first.ca);
  expect(renewed).toMatchObject({ isReplaced: true });
  expect(renewed.cert).not.toBe(first.cert);
  expect(Date.parse(new X509Certificate(renewed.cert).validTo)).toBeGreaterThan(now + 700 * day);
  expect(readFileSync(renewed.caFile, "utf8")).toBe(renewed.ca);
});

/** As earlier versions made it: for ten years, and for every name. */
async function withoutConstraints(directory: string): Promise<string> {
  const { privateKey, publicKey } = keyPair();
  const subject = [{ name: "commonName", value: "an earlier authority" }];
  const extensions = [
    { name: "basicConstraints", critical: true, cA: true },
    { name: "keyUsage", critical: true, keyCertSign: true },
  ];
  const years = { notBefore: new Date(), notAfter: new Date(Date.now() + 3650 * day) };
  const draft = { publicKey, serial: systemRandom.bytes(15), subject, issuer: subject, extensions, ...years };
  const cert = certificatePem(issueCertificate(await loadForge(), draft, privateKey));
  writeFileSync(join(directory, "authority.pem"), privateKey + cert);
  writeFileSync(join(directory, "ca.pem"), cert);
  return cert;
}

test("an authority without constraints is replaced with its key, by the same one for servers that open at the same time", async () => {
  const directory = temporaryDirectory().path;
  const earlier = await withoutConstraints(directory);
  const opened = await Promise.all([1, 2, 3].map(() => ensureCertificates(directory, Date.now(), systemRandom)));
  expect(new Set(opened.map(({ ca }) => ca)).size).toBe(1);
  expect(opened[0]?.ca).not.toBe(earlier);
  expect(opened.some(({ isReplaced }) => isReplaced)).toBe(true);
  expect(readdirSync(directory).sort()).toEqual(["authority.pem", "ca.pem", "server.pem"]);
  expect(readFileSync(join(directory, "authority.pem"), "utf8")).not.toContain(earlier);
});

test("local serve says that clients must read the new authority, once", async () => {
  const azure = await testEmulator();
  exits(await azure.cli(["local", "reset"]), 0);
  await withoutConstraints(azure.directory);
  for (const isSaid of [true, false]) {
    const server = await azure.start(["local", "serve"]);
    await firstLine(server);
    server.process.kill("SIGTERM");
    const { stderr } = await server.ended;
    expect(stderr.includes("new certificate authority: restart clients")).toBe(isSaid);
  }
});

test.each([
  "login.microsoftonline.com",
  "demo.vault.azure.net",
  "localhost",
  "127.0.0.1",
  "example.com",
  "vault.azure.net.example.com",
  "127.0.0.2",
])("a client that trusts the authority accepts %s only if the emulator serves it", async (name) => {
  const directory = temporaryDirectory().path;
  const authority = await ensureCertificates(directory, Date.now(), systemRandom);
  const pem = readFileSync(join(directory, "authority.pem"), "utf8");
  const { privateKey, publicKey } = keyPair();
  const { pki } = await loadForge();
  const issuer = pki.certificateFromPem(authority.ca).subject.attributes;
  const altName = isIP(name) ? { type: 7, ip: name } : { type: 2, value: name };
  const extensions = [{ name: "subjectAltName", altNames: [altName] }];
  const subject = [{ name: "organizationName", value: "a thief of the key" }];
  const dates = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
  const draft = { publicKey, serial: systemRandom.bytes(15), subject, issuer, extensions, ...dates };
  const cert = certificatePem(issueCertificate(await loadForge(), draft, pem.slice(0, pem.indexOf("-----BEGIN CERT"))));
  const error = await handshake({ cert, key: privateKey, ca: authority.ca, name });
  expect(error).toBe(/example|127.0.0.2/.test(name) ? "permitted subtree violation" : undefined);
});

/** The error with which a client ends the handshake. */
async function handshake({ cert, key, ca, name }: { cert: string; key: string; ca: string; name: string }): Promise<string | undefined> {
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({
      port,
      host: "127.0.0.1",
      ca,
      ...(isIP(name) ? {} : { servername: name }),
      checkServerIdentity: () => undefined,
    });
    socket.on("secureConnect", () => resolve(undefined));
    socket.on("error", (error: Error) => resolve(error.message));
    socket.on("close", () => socket.destroy());
  });
}

function keyPair(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}

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

/** The server's own certificate authority and certificate, stored in the state directory. */
import { createPrivateKey, createPublicKey, generateKeyPair, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { EmulatorStateError } from "../emulator-error.js";
import type { EmulatorRandom } from "../random.js";
import { createFileOnce, replaceFile } from "../state/file-writing.js";
import { caFileOf } from "../state/files.js";
import { certificatePem, issueCertificate, loadForge } from "../x509.js";
import { azureHostPatterns } from "../core/azure-hosts.js";

export interface ServerIdentity {
  /** PEM of the authority's certificate, for clients to trust. */
  readonly ca: string;
  readonly caFile: string;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const day = 86_400_000;
const authorityDays = 3650;
/** Verifiers of some platforms accept no server certificate that is valid for longer. */
const serverDays = 397;
const renewalDays = 30;

const dnsNames = [...azureHostPatterns, "localhost"];
const addresses = ["127.0.0.1"];

/** The certificates of `directory`: the authority is made once, the server's renewed a month before it ends. */
export async function ensureCertificates(directory: string, now: number, random: EmulatorRandom): Promise<ServerIdentity> {
  const file = join(directory, "server.pem");
  // A damaged certificate is issued again.
  const kept = keyedCertificate(file);
  // Keys take the longest: at first use the server's are made beside the authority's.
  const keys = kept === undefined ? newKeys() : undefined;
  const authority = await ensureAuthority(directory, now, random);
  const caFile = caFileOf(directory);
  if (!existsSync(caFile) || readFileSync(caFile, "utf8") !== authority.cert) replaceFile(caFile, authority.cert, 0o644);
  const usable = kept !== undefined && isUsable(kept, authority, now);
  const server = usable ? kept : await issueServer(authority, await (keys ?? newKeys()), now, random);
  if (server !== kept) replaceFile(file, server.key + server.cert, 0o600);
  return { ca: authority.cert, caFile, cert: server.cert, key: server.key };
}

const authorityFileOf = (directory: string): string => join(directory, "authority.pem");

interface KeyedCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Key and certificate are one file, linked into place once: of two processes that start at the same time, both use the first one's. */
async function ensureAuthority(directory: string, now: number, random: EmulatorRandom): Promise<KeyedCertificate> {
  const file = authorityFileOf(directory);
  if (!existsSync(file)) {
    const made = await issueAuthority(now, random);
    createFileOnce(file, made.key + made.cert, 0o600);
  }
  const authority = keyedCertificate(file);
  if (authority !== undefined) return authority;
  throw new EmulatorStateError(`the emulator's certificate authority in ${file} is damaged`);
}

/** So that the next server makes new ones. */
export function removeDamagedCertificates(directory: string): void {
  const file = authorityFileOf(directory);
  if (existsSync(file) && keyedCertificate(file) === undefined) rmSync(file);
}

/** Undefined if the file is missing or damaged. */
function keyedCertificate(file: string): KeyedCertificate | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  const start = text.indexOf("-----BEGIN CERTIFICATE-----");
  const [key, cert] = [text.slice(0, start), text.slice(start)];
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? { key, cert } : undefined;
  } catch {
    return undefined;
  }
}

function isUsable(server: KeyedCertificate, authority: KeyedCertificate, now: number): boolean {
  const certificate = new X509Certificate(server.cert);
  const names = [...dnsNames.map((name) => `DNS:${name}`), ...addresses.map((address) => `IP Address:${address}`)];
  return (
    certificate.verify(createPublicKey(authority.cert)) &&
    Date.parse(certificate.validTo) > now + renewalDays * day &&
    certificate.subjectAltName === names.join(", ")
  );
}

async function issueAuthority(now: number, random: EmulatorRandom): Promise<KeyedCertificate> {
  const keys = await newKeys();
  const subject = nameOf("aro-hcp emulator CA");
  const extensions = [
    { name: "basicConstraints", critical: true, cA: true, pathLenConstraint: 0 },
    { name: "keyUsage", critical: true, keyCertSign: true, cRLSign: true },
    { name: "subjectKeyIdentifier" },
  ];
  const draft = { publicKey: keys.public, serial: random.bytes(15), subject, issuer: subject, extensions, ...validity(now, authorityDays) };
  return { key: keys.private, cert: certificatePem(issueCertificate(await loadForge(), draft, keys.private)) };
}

async function issueServer(authority: KeyedCertificate, keys: KeyPair, now: number, random: EmulatorRandom): Promise<KeyedCertificate> {
  const library = await loadForge();
  const issuer = library.pki.certificateFromPem(authority.cert);
  const extensions = [
    { name: "basicConstraints", critical: true, cA: false },
    { name: "keyUsage", critical: true, digitalSignature: true, keyEncipherment: true },
    { name: "extKeyUsage", serverAuth: true },
    { name: "subjectAltName", altNames: [...dnsNames.map((value) => ({ type: 2, value })), ...addresses.map((ip) => ({ type: 7, ip }))] },
    { name: "subjectKeyIdentifier" },
    { name: "authorityKeyIdentifier", keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ];
  const draft = {
    publicKey: keys.public,
    serial: random.bytes(15),
    subject: nameOf("aro-hcp emulator"),
    issuer: issuer.subject.attributes,
    extensions,
    ...validity(now, serverDays),
  };
  return { key: keys.private, cert: certificatePem(issueCertificate(library, draft, authority.key)) };
}

function nameOf(commonName: string): { name: string; value: string }[] {
  return [
    { name: "organizationName", value: "aro-hcp" },
    { name: "commonName", value: commonName },
  ];
}

/** From an hour back, for clients whose clock is behind. */
function validity(now: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - day / 24), notAfter: new Date(now + days * day) };
}

/** PEM. */
interface KeyPair {
  readonly public: string;
  readonly private: string;
}

/** Made by OpenSSL, which takes a tenth of the time that keys in JavaScript do. */
async function newKeys(): Promise<KeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return { public: publicKey, private: privateKey };
}

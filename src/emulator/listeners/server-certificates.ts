/** The server's own certificate authority and certificate, stored in the state directory. */
import { createPrivateKey, createPublicKey, generateKeyPair, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { EmulatorStateError } from "../common/emulator-error.js";
import type { EmulatorRandom } from "../common/random.js";
import { createFileOnce, isErrno, replaceFile, takeAway, caFileOf, readOwnFile, removeOwn } from "../state/files.js";
import { certificatePem, issueCertificate, loadForge } from "../common/x509.js";
import { azureHostPatterns } from "../core/azure-hosts.js";

export interface ServerIdentity {
  /** PEM of the authority's certificate, for clients to trust. */
  readonly ca: string;
  readonly caFile: string;
  /** Whether clients may have read another authority from the file. */
  readonly isReplaced: boolean;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const nameConstraintsId = "2.5.29.30";

const sequence = 0x30;
/** The subtrees that are permitted. */
const permitted = 0xa0;
const dnsName = 0x82;
const ipAddress = 0x87;

/** DER. A domain includes all names below it; each IPv4 address permits only itself. Names of other kinds are not limited. */
function permittedNames(domains: readonly string[], addresses: readonly string[]): Buffer {
  const names = [
    ...domains.map((domain) => encoded(dnsName, Buffer.from(domain))),
    ...addresses.map((address) => encoded(ipAddress, Buffer.from([...address.split(".").map(Number), 255, 255, 255, 255]))),
  ];
  return encoded(sequence, encoded(permitted, ...names.map((name) => encoded(sequence, name))));
}

function encoded(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  // From 128 on, the first byte has the number of bytes of the length.
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const day = 86_400_000;
const authorityDays = 365;
const renewalDays = 30;

const dnsNames = [...azureHostPatterns, "localhost"];
const addresses = ["127.0.0.1"];
const constraints = permittedNames(
  dnsNames.map((name) => name.replace(/^\*\./, "")),
  addresses,
);

/** The certificates of `directory`. Both are renewed a month before they end, and the authority also if it permits other names. */
export async function ensureCertificates(directory: string, now: number, random: EmulatorRandom): Promise<ServerIdentity> {
  const file = serverFileOf(directory);
  // A damaged certificate is issued again.
  const kept = keyedCertificate(file);
  // Keys take the longest: at first use the server's are made beside the authority's.
  const keys = kept === undefined ? newKeys() : undefined;
  const authority = await ensureAuthority(directory, now, random);
  const caFile = caFileOf(directory);
  const known = textIn(caFile);
  if (known !== authority.cert) replaceFile(caFile, authority.cert, 0o644);
  const isReplaced = known !== undefined && known !== authority.cert;
  const usable = kept !== undefined && isUsable(kept, authority);
  const server = usable ? kept : await issueServer(authority, await (keys ?? newKeys()), now, random);
  if (server !== kept) replaceFile(file, server.key + server.cert, 0o600);
  return { ca: authority.cert, caFile, isReplaced, cert: server.cert, key: server.key };
}

const serverFileOf = (directory: string): string => join(directory, "server.pem");
const authorityFileOf = (directory: string): string => join(directory, "authority.pem");

interface KeyedCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Key and certificate are one file, linked into place once: of two processes that start at the same time, both use the first one's. */
async function ensureAuthority(directory: string, now: number, random: EmulatorRandom): Promise<KeyedCertificate> {
  const file = authorityFileOf(directory);
  for (;;) {
    const text = textIn(file);
    const found = text === undefined ? undefined : parsed(text);
    if (found !== undefined && isCurrent(found, now)) return found;
    if (text !== undefined && found === undefined)
      throw new EmulatorStateError(`the emulator's certificate authority in ${file} is damaged`);
    const made = await issueAuthority(now, random);
    if (found !== undefined) takeAway(file, (text) => !isCurrentText(text, now));
    createFileOnce(file, made.key + made.cert, 0o600);
  }
}

/** Authorities of earlier versions live ten years and may sign for every name. */
function isCurrent({ cert }: KeyedCertificate, now: number): boolean {
  const certificate = new X509Certificate(cert);
  return Date.parse(certificate.validTo) > now + renewalDays * day && certificate.raw.includes(constraints);
}

function isCurrentText(text: string, now: number): boolean {
  const found = parsed(text);
  return found !== undefined && isCurrent(found, now);
}

/** Lets the next server make new ones. */
export function removeDamagedCertificates(directory: string): void {
  const [authority, server, ca] = [authorityFileOf(directory), serverFileOf(directory), caFileOf(directory)];
  for (const file of [authority, server]) if (isDamaged(() => keyedCertificate(file))) removeOwn(file);
  if (isDamaged(() => textIn(ca))) removeOwn(ca);
}

function isDamaged(read: () => unknown): boolean {
  try {
    return read() === undefined;
  } catch (error) {
    if (error instanceof EmulatorStateError) return true;
    throw error;
  }
}

/** Undefined if the file is missing or damaged. */
function keyedCertificate(file: string): KeyedCertificate | undefined {
  const text = textIn(file);
  return text === undefined ? undefined : parsed(text);
}

/** Undefined if the file is missing. */
function textIn(file: string): string | undefined {
  try {
    return readOwnFile(file);
  } catch (error) {
    if (error instanceof EmulatorStateError) throw error;
    if (isErrno(error, "ENOENT")) return undefined;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new EmulatorStateError(`the emulator's certificate in ${file} cannot be read: ${code}`, { cause: error });
  }
}

function parsed(text: string): KeyedCertificate | undefined {
  const start = text.indexOf("-----BEGIN CERTIFICATE-----");
  const [key, cert] = [text.slice(0, start), text.slice(start)];
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? { key, cert } : undefined;
  } catch {
    return undefined;
  }
}

/** It ends with its authority. */
function isUsable(server: KeyedCertificate, authority: KeyedCertificate): boolean {
  const certificate = new X509Certificate(server.cert);
  const names = [...dnsNames.map((name) => `DNS:${name}`), ...addresses.map((address) => `IP Address:${address}`)];
  return certificate.verify(createPublicKey(authority.cert)) && certificate.subjectAltName === names.join(", ");
}

async function issueAuthority(now: number, random: EmulatorRandom): Promise<KeyedCertificate> {
  const keys = await newKeys();
  const subject = nameOf("aro-hcp emulator CA");
  const extensions = [
    { name: "basicConstraints", critical: true, cA: true, pathLenConstraint: 0 },
    { name: "keyUsage", critical: true, keyCertSign: true, cRLSign: true },
    { name: "subjectKeyIdentifier" },
    { id: nameConstraintsId, critical: true, value: constraints.toString("latin1") },
  ];
  const validity = { notBefore: start(now), notAfter: new Date(now + authorityDays * day) };
  const draft = { publicKey: keys.public, serial: random.bytes(15), subject, issuer: subject, extensions, ...validity };
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
    notBefore: start(now),
    notAfter: issuer.validity.notAfter,
  };
  return { key: keys.private, cert: certificatePem(issueCertificate(library, draft, authority.key)) };
}

function nameOf(commonName: string): { name: string; value: string }[] {
  return [
    { name: "organizationName", value: "aro-hcp" },
    { name: "commonName", value: commonName },
  ];
}

/** An hour back, for clients whose clock is behind. */
const start = (now: number): Date => new Date(now - day / 24);

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

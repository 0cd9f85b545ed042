/** Reads the `client_secret` of a credential as the pods do: azidentity's ParseCertificates, then MSAL. */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import type forge from "node-forge";
import { plural } from "../../text/plural.js";

export interface ReadableCredential {
  readonly form: "PEM" | "PKCS#12";
  /** The certificates, that of the key first, then the key in PKCS#8. */
  readonly pem: string;
  /** SHA-1 of the key's certificate, upper-case hex. */
  readonly thumbprint: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The size of the RSA key. */
  readonly bits: number;
}

/** `problem` is the reason why pods cannot use it, as a sentence about the content. */
export type CredentialContent = ReadableCredential | { readonly problem: string };

/** Entra accepts no shorter RSA keys. */
const leastBits = 2048;

/** The only MAC digest that golang.org/x/crypto/pkcs12 supports. */
const sha1 = "1.3.14.3.2.26";
/** DER of the object identifier of PBES2, which that library does not support. */
const pbes2 = Buffer.from("06092a864886f70d01050d", "hex");

/** Without a password. The content includes a private key: never quote it. */
export async function readCredentialContent(clientSecret: string): Promise<CredentialContent> {
  if (clientSecret.includes("-----BEGIN")) return { problem: "it is PEM, not base64 of PEM" };
  if (/[-_]/.test(clientSecret)) return { problem: "it is URL-safe base64, and pods accept only the standard alphabet" };
  const bytes = bytesInBase64(clientSecret);
  if (bytes === undefined) return { problem: "it is not base64" };
  if (bytes.length === 0) return { problem: "it is empty" };
  const text = bytes.toString("latin1");
  return text.includes("-----BEGIN ") ? readPem(text, "PEM") : readPkcs12(bytes);
}

/** Decodes as Go's encoding/base64 with StdEncoding: padded, line breaks ignored. Node's decoder ignores invalid characters. */
export function bytesInBase64(text: string): Buffer | undefined {
  const packed = text.replace(/[\r\n]/g, "");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0 ? Buffer.from(packed, "base64") : undefined;
}

function readPem(text: string, form: ReadableCredential["form"]): CredentialContent {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g)].map(([pem, label = ""]) => ({ pem, label }));
  const labels = blocks.map(({ label }) => label);
  // The loader ignores these blocks, and then finds no key.
  if (labels.includes("ENCRYPTED PRIVATE KEY") || text.includes("Proc-Type: 4,ENCRYPTED")) {
    return { problem: "its key is encrypted, and pods have no password" };
  }
  if (labels.includes("EC PRIVATE KEY")) return { problem: "its key is an elliptic curve key, and Entra's library accepts only RSA" };
  const keys = blocks.filter(({ label }) => label === "PRIVATE KEY" || label === "RSA PRIVATE KEY");
  if (keys.length > 1) return { problem: "it contains more than one private key" };
  const [keyBlock] = keys;
  const certificates = blocks.filter(({ label }) => label === "CERTIFICATE").map(({ pem }) => certificateIn(pem));
  if (certificates.length === 0) return { problem: "it contains no certificate" };
  if (keyBlock === undefined) return { problem: "it contains no private key" };
  const known = certificates.filter((one) => one !== undefined);
  if (known.length < certificates.length) return { problem: "a certificate in it cannot be read" };
  const key = keyIn(keyBlock.pem);
  return key === undefined ? { problem: "its private key cannot be read" } : contentOf(known, key, form);
}

function contentOf(certificates: readonly X509Certificate[], key: KeyObject, form: ReadableCredential["form"]): CredentialContent {
  if (key.asymmetricKeyType !== "rsa") {
    return { problem: `its key is of type ${key.asymmetricKeyType ?? "unknown"}, and Entra's library accepts only RSA` };
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < leastBits) return { problem: `its RSA key has ${plural(bits, "bit")}, fewer than ${String(leastBits)}` };
  const own = certificates.find((certificate) => certificate.checkPrivateKey(key));
  if (own === undefined) return { problem: "its key belongs to none of its certificates" };
  const inOrder = [own, ...certificates.filter((certificate) => certificate !== own)];
  return {
    form,
    pem: [...inOrder.map((certificate) => certificate.toString()), key.export({ type: "pkcs8", format: "pem" }).toString()]
      .map((pem) => `${pem.trimEnd()}\n`)
      .join(""),
    thumbprint: own.fingerprint.replaceAll(":", ""),
    notBefore: new Date(own.validFrom),
    notAfter: new Date(own.validTo),
    bits,
  };
}

/** The PKCS#12 format that Key Vault exports and `az` stores: SHA-1 MAC, 3DES or RC2 encryption, empty password. */
async function readPkcs12(bytes: Buffer): Promise<CredentialContent> {
  // Loaded on demand.
  const { default: library } = await import("node-forge");
  const outer = asn1In(bytes, library);
  // PFX ::= SEQUENCE { version 3, authSafe, macData }
  const parts = Array.isArray(outer?.value) ? outer.value : [];
  if (outer === undefined || parts.length < 2 || parts[0]?.type !== library.asn1.Type.INTEGER) {
    return { problem: "it is neither PEM nor PKCS#12" };
  }
  if (parts.length < 3) return { problem: "it is PKCS#12 without a MAC, which pods cannot read" };
  const digest = digestOf(parts[2], library);
  if (digest !== sha1 || bytes.includes(pbes2)) {
    const modern = digest === sha1 ? "PBES2" : `digest ${digest ?? "unknown"}`;
    return {
      problem: `it is PKCS#12 with modern encryption (${modern}), which pods cannot read; \`openssl pkcs12 -export -legacy\` writes the old format`,
    };
  }
  const pem = pemOf(outer, library);
  return pem === undefined ? { problem: "it is PKCS#12 with a password, and pods have none" } : readPem(pem, "PKCS#12");
}

type Forge = typeof forge;

function asn1In(bytes: Buffer, { asn1, util }: Forge): forge.asn1.Asn1 | undefined {
  try {
    return asn1.fromDer(util.createBuffer(bytes.toString("latin1")));
  } catch {
    return undefined;
  }
}

/** MacData ::= SEQUENCE { mac SEQUENCE { algorithm SEQUENCE { OID, ... }, digest }, salt, iterations } */
function digestOf(macData: forge.asn1.Asn1 | undefined, { asn1 }: Forge): string | undefined {
  const child = (node: forge.asn1.Asn1 | undefined) => (Array.isArray(node?.value) ? node.value[0] : undefined);
  const id = child(child(child(macData)));
  return typeof id?.value === "string" ? asn1.derToOid(id.value) : undefined;
}

/** Undefined if the empty password does not open it. */
function pemOf(outer: forge.asn1.Asn1, { pkcs12, pki, asn1 }: Forge): string | undefined {
  const { certBag = "", pkcs8ShroudedKeyBag = "", keyBag = "" } = pki.oids;
  for (const password of ["", undefined]) {
    try {
      const bags = pkcs12.pkcs12FromAsn1(outer, false, password).safeContents.flatMap(({ safeBags }) => safeBags);
      const pems = bags.map(({ type, cert, key, asn1: raw }) => {
        if (type === certBag) {
          return cert ? pki.certificateToPem(cert) : block("CERTIFICATE", asn1.toDer(raw).getBytes());
        }
        if (type !== pkcs8ShroudedKeyBag && type !== keyBag) return "";
        // For a key other than RSA, only its bytes are available.
        return key
          ? pki.privateKeyInfoToPem(pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key)))
          : block("PRIVATE KEY", asn1.toDer(raw).getBytes());
      });
      return pems.join("\n");
    } catch {
      // Try the other form of an empty password.
    }
  }
  return undefined;
}

function block(label: string, der: string): string {
  const lines =
    Buffer.from(der, "latin1")
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join("\n");
}

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Drops OpenSSL's error, which is less clear and might quote the key. */
function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

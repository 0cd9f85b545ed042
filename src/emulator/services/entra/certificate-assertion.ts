/** An assertion that a client signed itself: verified with the certificates registered on its application. */
import { createHash, X509Certificate } from "node:crypto";
import { compactVerify, errors } from "jose";
import type { ApiError, Call } from "../../core/service.js";
import type { AzureState } from "../../state/state.js";
import type { Application, KeyCredential } from "../../state/application.js";
import { authorityUrl } from "../../core/access-token.js";
import { checkLifetime, type Assertion } from "./client-assertion.js";
import type { Client } from "./signed-in-client.js";
import { invalidClient } from "./errors.js";

/**
 * An assertion may be reused until its `exp`, however late that is. `jti` must be unique, but Entra accepts one that comes twice:
 * https://learn.microsoft.com/entra/identity-platform/certificate-credentials.
 * @throws ApiError with Entra's code for the error.
 */
export async function verifyCertificateAssertion(call: Call, client: Client, assertion: Assertion): Promise<void> {
  const { header, claims, text } = assertion;
  if (![claims.iss, claims.sub].every((each) => each?.toLowerCase() === client.appId)) {
    throw invalidClient(
      "AADSTS700021: Client assertion application identifier doesn't match 'client_id' parameter. Review the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .",
    );
  }
  const credential = findCredential(call, client.application, assertion);
  if (credential === undefined) throw notRegistered(client, header);
  const found = `Thumbprint of key used by client: '${thumbprintSent(header) ?? ""}', Found key 'Start=${stamp(credential.startDateTime)}, End=${stamp(credential.endDateTime)}'`;
  if (Date.parse(credential.endDateTime) <= call.now || Date.parse(credential.startDateTime) > call.now) {
    // Entra says "expired" for a key that is not valid yet, too.
    throw invalidClient(
      `AADSTS700027: The certificate with identifier used to sign the client assertion is expired on application. [Reason - The key used is expired., ${found}${seeKeys(client)}]`,
    );
  }
  await checkSignature(text, credential, `${found}${seeKeys(client)}`);
  if (![claims.aud].flat().some((each) => each !== undefined && isOurs(call.state, each))) {
    throw invalidClient(
      "AADSTS700023: Client assertion audience claim does not match Realm issuer. Review the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .",
    );
  }
  checkLifetime(call, claims);
}

async function checkSignature(text: string, credential: KeyCredential, found: string): Promise<void> {
  try {
    const { publicKey } = new X509Certificate(Buffer.from(credential.key, "base64"));
    await compactVerify(text, publicKey, { algorithms: ["RS256", "PS256"] });
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    throw invalidClient(
      `AADSTS700027: Client assertion failed signature validation. [Reason - The provided signature value did not match the expected signature value., ${found}]`,
    );
  }
}

/** Found by the thumbprint in the header; a certificate added a moment ago may not have replicated. */
function findCredential(call: Call, application: Application | undefined, { header }: Assertion): KeyCredential | undefined {
  const sent = thumbprintSent(header);
  const lag = call.milliseconds(call.state.knobs?.credentialLagSeconds ?? 0);
  return application?.keyCredentials?.find(({ key, addedAt }) => addedAt + lag <= call.now && thumbprintsOf(key).includes(sent ?? ""));
}

/** SHA-1 and SHA-256 of the certificate, upper-case hex. */
function thumbprintsOf(key: string): string[] {
  const der = Buffer.from(key, "base64");
  return ["sha1", "sha256"].map((algorithm) => createHash(algorithm).update(der).digest("hex").toUpperCase());
}

/** `x5t#S256`, `x5t` or a hexadecimal `kid`, whichever the client sends. Upper-case hex. */
function thumbprintSent(header: Assertion["header"]): string | undefined {
  const encoded = header["x5t#S256"] ?? header.x5t;
  if (typeof encoded === "string") return Buffer.from(encoded, "base64url").toString("hex").toUpperCase();
  return header.kid?.toUpperCase();
}

function notRegistered(client: Client, header: Assertion["header"]): ApiError {
  const sent = thumbprintSent(header);
  return invalidClient(
    `AADSTS700027: The certificate with identifier used to sign the client assertion is not registered on application. [Reason - The key was not found.${sent === undefined ? "" : `, Thumbprint of key used by client: '${sent}'`}${seeKeys(client)}]`,
  );
}

function seeKeys({ appId }: Client): string {
  return `, Please visit the Azure Portal, Graph Explorer or directly use MS Graph to see configured keys for app Id '${appId}'. Review the documentation at https://docs.microsoft.com/en-us/graph/deployments to determine the corresponding service endpoint and https://docs.microsoft.com/en-us/graph/api/application-get?view=graph-rest-1.0&tabs=http to build a query request URL, such as 'https://graph.microsoft.com/beta/applications/${appId}'`;
}

/** The token endpoints and the issuers of the tenant. */
function isOurs({ tenantId }: AzureState, audience: string): boolean {
  const authority = authorityUrl(tenantId);
  const accepted = [`${authority}/oauth2/v2.0/token`, `${authority}/oauth2/token`, `${authority}/v2.0`, authority];
  return [...accepted, `https://sts.windows.net/${tenantId}`].includes(audience.replace(/\/$/, "").toLowerCase());
}

/** `11/20/2026 05:09:07` */
function stamp(time: string): string {
  const [, year = "", month = "", day = "", clock = ""] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(new Date(time).toISOString()) ?? [];
  return `${month}/${day}/${year} ${clock}`;
}

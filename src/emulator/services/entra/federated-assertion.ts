/** Verifies an assertion of a trusted issuer against federated credentials and the issuer's keys. */
import { compactVerify, errors, importJWK, type JWK } from "jose";
import { ApiError, type ApiRequest, type Call, type Deps, type Fetched } from "../../core/service.js";
import { checkLifetime, decodeAssertion, isOwnAssertion, type Assertion } from "./client-assertion.js";
import { clientNamed, type Client } from "./signed-in-client.js";
import { invalidClient, invalidRequest } from "./errors.js";
import { formOf } from "./form.js";

const seeFederation =
  "Check your federated identity credential Subject, Audience and Issuer against the presented assertion. https://learn.microsoft.com/entra/workload-id/workload-identity-federation";

/** @throws ApiError with Entra's code for the error. */
export async function verifyFederatedAssertion(call: Call, client: Client, assertion: Assertion): Promise<void> {
  checkMisses(call, client, assertion);
  const { keys } = call.prepared as IssuerKeys;
  if (keys === undefined) throw invalidRequest("AADSTS50166: Request to External OIDC endpoint failed.");
  const { header, claims, text } = assertion;
  const key = keys.find(({ kid }) => kid === header.kid);
  if (key === undefined) {
    throw invalidClient(
      `AADSTS7000272: The certificate with identifier ${header.kid ?? ""} used to sign the federated credential could not be found in the metadata of identity provider ${claims.iss ?? ""}. Please validate that your Identity Provider's metadata exposes the key used to sign the incoming token.`,
    );
  }
  try {
    await compactVerify(text, await importJWK(key, "RS256"), { algorithms: ["RS256"] });
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    throw invalidClient(
      "AADSTS700027: Client assertion failed signature validation. [Reason - The provided signature value did not match the expected signature value.]",
    );
  }
  checkLifetime(call, claims);
}

/** Entra caches a miss: a client that asks before a new credential has replicated waits longer (azure-workload-identity#273). */
function checkMisses(call: Call, client: Client, assertion: Assertion): void {
  const { state, now } = call;
  const { iss = "", sub = "" } = assertion.claims;
  const key = JSON.stringify([client.appId, iss, sub]);
  if ((state.federationMisses?.[key] ?? 0) > now) {
    throw invalidClient(
      `AADSTS70021: No matching federated identity record found for presented assertion. Assertion Issuer: '${iss}'. Assertion Subject: '${sub}'. Assertion Audience: '${[assertion.claims.aud].flat().join(", ")}'. https://learn.microsoft.com/entra/workload-id/workload-identity-federation`,
    );
  }
  try {
    matchCredential(client, assertion);
  } catch (error) {
    const seconds = state.knobs?.federationMissSeconds ?? 0;
    if (!(error instanceof ApiError) || seconds === 0) throw error;
    state.federationMisses = { ...state.federationMisses, [key]: now + call.milliseconds(seconds) };
    throw new ApiError(error.status, error.code, error.message, { commits: true });
  }
}

/** Byte for byte: a trailing slash or another case is another issuer. */
function matchCredential({ displayName, federated }: Client, { claims: { iss = "", sub = "", aud } }: Assertion): void {
  if (federated.length === 0) {
    throw invalidClient(`AADSTS70025: The client '${displayName}' has no configured federated identity credentials.`);
  }
  const audiences = [aud].flat();
  const ofIssuer = federated.filter(({ issuer }) => issuer === iss);
  if (ofIssuer.length === 0) throw noMatch(700211, "issuer", iss);
  const ofSubject = ofIssuer.filter(({ subject }) => subject === sub);
  if (ofSubject.length === 0) throw noMatch(700213, "subject", sub);
  if (!ofSubject.some((each) => each.audiences.some((wanted) => audiences.includes(wanted)))) {
    throw noMatch(700212, "audience", audiences.join(", "));
  }
}

function noMatch(number: number, claim: string, value: string) {
  return invalidClient(
    `AADSTS${number}: No matching federated identity record found for presented assertion ${claim} '${value}'. ${seeFederation}`,
  );
}

/**
 * Fetches the issuer's keys before the answer is computed, and only for a trusted issuer. Undefined for a request
 * that needs none.
 */
export async function prepareFederation(request: ApiRequest, { readState, fetch }: Deps): Promise<IssuerKeys | undefined> {
  const { client_id: clientId, client_assertion: assertion } = formOf(request.body);
  if (typeof clientId !== "string" || typeof assertion !== "string" || assertion === "") return undefined;
  const issuer = await readState((state) => {
    try {
      const decoded = decodeAssertion(assertion);
      const client = clientNamed({ state }, clientId);
      if (isOwnAssertion(decoded, client)) return undefined;
      matchCredential(client, decoded);
      return decoded.claims.iss;
    } catch {
      // Reported with its code when the answer is computed.
      return undefined;
    }
  });
  return issuer === undefined ? undefined : fetchIssuerKeys(issuer, fetch);
}

/** The keys of an external token issuer, from its published documents: OpenID Connect Discovery 1.0, section 4, and RFC 7517. */
type IssuerKeys =
  | { readonly issuer: string; readonly keys: readonly JWK[] }
  /** A document could not be fetched, or is invalid. */
  | { readonly issuer: string; readonly keys: undefined };

/** Anonymous, over HTTPS, as any client fetches them. */
async function fetchIssuerKeys(issuer: string, fetch: Deps["fetch"]): Promise<IssuerKeys> {
  const discovery = parseObject(await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`));
  const keysUrl = discovery?.["jwks_uri"];
  // A document of another issuer proves nothing about this one.
  if (discovery?.["issuer"] !== issuer || typeof keysUrl !== "string") return { issuer, keys: undefined };
  const keys = parseObject(await fetch(keysUrl))?.["keys"];
  return { issuer, keys: Array.isArray(keys) ? (keys as JWK[]) : undefined };
}

function parseObject(fetched: Fetched | undefined): Record<string, unknown> | undefined {
  if (fetched?.status !== 200) return undefined;
  try {
    const value = JSON.parse(fetched.text) as unknown;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

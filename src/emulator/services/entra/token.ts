/** The token endpoint: client credentials, proved by a secret, a certificate or a token of a trusted issuer. */
import { ApiError, type Answer, type Call } from "../../core/service.js";
import { hashSecret } from "../../state/seed.js";
import { isTokenAudience, signAccessToken, tokenLifetimeSeconds, type TokenSubject } from "../../core/access-token.js";
import { verifyCertificateAssertion } from "./certificate-assertion.js";
import { decodeAssertion, isOwnAssertion } from "./client-assertion.js";
import { clientNamed, type Client } from "./signed-in-client.js";
import { invalidClient, invalidRequest } from "./errors.js";
import { verifyFederatedAssertion } from "./federated-assertion.js";
import { formOf, required, type Form } from "./form.js";

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export async function token(tenantId: string, call: Call): Promise<Answer> {
  const form = formOf(call.request.body);
  const grant = required(form, "grant_type");
  if (grant !== "client_credentials") {
    throw new ApiError(400, "unsupported_grant_type", `AADSTS70003: The app requested an unsupported grant type '${grant}'.`);
  }
  const clientId = required(form, "client_id");
  const audience = audienceOf(required(form, "scope"), tenantId);
  const client = clientNamed(call, clientId);
  const subject: TokenSubject = { ...client, proof: await prove(call, client, form) };
  return {
    status: 200,
    takes: call.sample("token"),
    body: {
      token_type: "Bearer",
      expires_in: tokenLifetimeSeconds,
      ext_expires_in: tokenLifetimeSeconds,
      access_token: signAccessToken(call.state, subject, audience, call.now),
    },
  };
}

async function prove(call: Call, client: Client, form: Form): Promise<TokenSubject["proof"]> {
  const assertion = form["client_assertion"];
  if (typeof assertion !== "string" || assertion === "") {
    checkSecret(call, client, form["client_secret"]);
    return "secret";
  }
  if (required(form, "client_assertion_type") !== assertionType) {
    throw invalidRequest(`AADSTS50027: JWT token is invalid or malformed: 'client_assertion_type' must be '${assertionType}'.`);
  }
  const decoded = decodeAssertion(assertion);
  if (isOwnAssertion(decoded, client)) await verifyCertificateAssertion(call, client, decoded);
  else await verifyFederatedAssertion(call, client, decoded);
  return "key";
}

function checkSecret({ now }: Call, { appId, application }: Client, secret: unknown): void {
  if (typeof secret !== "string" || secret === "") {
    throw invalidClient(
      "AADSTS7000216: 'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.",
    );
  }
  if (application === undefined) {
    throw invalidClient("AADSTS7000232: The provided client_secret is not valid for this application: managed identities have none.");
  }
  const hash = hashSecret(secret);
  if (application.secretHashes.includes(hash)) return;
  const { passwordCredentials = [], servicePrincipal } = application;
  const credential = [...passwordCredentials, ...(servicePrincipal?.passwordCredentials ?? [])].find((each) => each.hash === hash);
  if (credential === undefined) {
    throw invalidClient(
      `AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${appId}'.`,
    );
  }
  if (Date.parse(credential.endDateTime) <= now) {
    throw invalidClient(
      `AADSTS7000222: The provided client secret keys for app '${appId}' are expired. Visit the Azure portal to create new keys for your app: https://aka.ms/NewClientSecret, or consider using certificate credentials for added security: https://aka.ms/certCreds.`,
    );
  }
}

/** The audience is the scope without its last `/.default`: that of `https://management.core.windows.net//.default` ends in a slash. */
function audienceOf(scopes: string, tenantId: string): string {
  const scope = scopes.split(" ").find((each) => !["openid", "offline_access", "profile", ""].includes(each)) ?? scopes;
  if (!scope.endsWith("/.default")) {
    throw new ApiError(
      400,
      "invalid_scope",
      `AADSTS1002012: The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
    );
  }
  const audience = scope.slice(0, -"/.default".length);
  if (!isTokenAudience(audience)) {
    throw new ApiError(
      400,
      "invalid_resource",
      `AADSTS500011: The resource principal named ${audience} was not found in the tenant named ${tenantId}.`,
    );
  }
  return audience;
}

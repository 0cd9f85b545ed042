/** login.microsoftonline.com: discovery, and tokens for client credentials with a client secret. */
import { ApiError, type Answer, type Call, type Service } from "../service.js";
import { hashSecret } from "../world/seed.js";
import type { Application, World } from "../world/world.js";
import { authorityUrl, signAccessToken, tokenAudiences, tokenLifetimeSeconds } from "./access-token.js";

const host = "login.microsoftonline.com";

export const entraService: Service = {
  hosts: (name) => name === host,
  anonymous: true,
  handle(call) {
    const { method, path } = call.request;
    const [first = "", ...rest] = path;
    const route = `${method} ${rest.join("/").toLowerCase()}`;
    if (first === "common" && route === "GET discovery/instance") return instanceDiscovery(call);
    if (route === "GET v2.0/.well-known/openid-configuration") return openidConfiguration(tenantNamed(call.world, first), call);
    if (route === "POST oauth2/v2.0/token") return token(tenantNamed(call.world, first), call);
    throw new ApiError(501, "NotImplementedByEmbeddedAzure", `${method} https://${host}/${path.join("/")} is not emulated.`);
  },
};

/** MSAL caches nothing unless the aliases hold the host that it asked. */
function instanceDiscovery(call: Call): Answer {
  const authorize = call.request.query.get("authorization_endpoint") ?? authorityUrl("common");
  const tenant = new URL(authorize).pathname.split("/")[1] ?? "common";
  return {
    status: 200,
    takes: call.draw("read"),
    body: {
      tenant_discovery_endpoint: `${authorityUrl(tenant)}/v2.0/.well-known/openid-configuration`,
      "api-version": "1.1",
      metadata: [
        {
          preferred_network: host,
          preferred_cache: "login.windows.net",
          aliases: [host, "login.windows.net", "login.microsoft.com", "sts.windows.net"],
        },
      ],
    },
  };
}

function openidConfiguration(tenantId: string, call: Call): Answer {
  const authority = authorityUrl(tenantId);
  return {
    status: 200,
    takes: call.draw("read"),
    body: {
      issuer: `${authority}/v2.0`,
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      token_endpoint: `${authority}/oauth2/v2.0/token`,
      device_authorization_endpoint: `${authority}/oauth2/v2.0/devicecode`,
      end_session_endpoint: `${authority}/oauth2/v2.0/logout`,
      jwks_uri: `${authority}/discovery/v2.0/keys`,
      response_types_supported: ["code", "id_token", "code id_token", "id_token token"],
      subject_types_supported: ["pairwise"],
      id_token_signing_alg_values_supported: ["RS256"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt"],
      tenant_region_scope: "NA",
      cloud_instance_name: "microsoftonline.com",
    },
  };
}

async function token(tenantId: string, call: Call): Promise<Answer> {
  const form = (typeof call.request.body === "object" && call.request.body !== null ? call.request.body : {}) as Record<string, unknown>;
  const grant = required(form, "grant_type");
  if (grant !== "client_credentials") {
    throw new ApiError(400, "unsupported_grant_type", `AADSTS70003: The app requested an unsupported grant type '${grant}'.`);
  }
  const clientId = required(form, "client_id");
  const audience = audienceOf(required(form, "scope"), tenantId);
  const application = call.world.applications.find((each) => each.appId === clientId.toLowerCase());
  if (application === undefined) {
    throw new ApiError(
      400,
      "unauthorized_client",
      `AADSTS700016: Application with identifier '${clientId}' was not found in the directory '${tenantId}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.`,
    );
  }
  checkCredential(application, form);
  return {
    status: 200,
    takes: call.draw("token"),
    headers: { "cache-control": "no-store, no-cache", pragma: "no-cache" },
    body: {
      token_type: "Bearer",
      expires_in: tokenLifetimeSeconds,
      ext_expires_in: tokenLifetimeSeconds,
      access_token: await signAccessToken(call.world, application, audience, call.now),
    },
  };
}

function checkCredential(application: Application, form: Record<string, unknown>): void {
  if (typeof form["client_assertion"] === "string") {
    // No application of this world has a certificate or a federated credential yet, and this is what Entra says then.
    throw new ApiError(
      401,
      "invalid_client",
      "AADSTS700027: The certificate with identifier used to sign the client assertion is not registered on application. [Reason - The key was not found.]",
    );
  }
  const secret = form["client_secret"];
  if (typeof secret !== "string" || secret === "") {
    throw new ApiError(
      401,
      "invalid_client",
      "AADSTS7000216: 'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.",
    );
  }
  if (!application.secretHashes.includes(hashSecret(secret))) {
    throw new ApiError(
      401,
      "invalid_client",
      `AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${application.appId}'.`,
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
  if (!Object.values(tokenAudiences).some((spellings) => spellings.includes(audience))) {
    throw new ApiError(
      400,
      "invalid_resource",
      `AADSTS500011: The resource principal named ${audience} was not found in the tenant named ${tenantId}.`,
    );
  }
  return audience;
}

function required(form: Record<string, unknown>, name: string): string {
  const value = form[name];
  if (typeof value === "string" && value !== "") return value;
  throw new ApiError(400, "invalid_request", `AADSTS900144: The request body must contain the following parameter: '${name}'.`);
}

function tenantNamed(world: World, name: string): string {
  if (name.toLowerCase() === world.tenantId) return world.tenantId;
  throw new ApiError(
    400,
    "invalid_request",
    `AADSTS90002: Tenant '${name}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`,
  );
}

/** login.microsoftonline.com: discovery, and the token endpoint. */
import { ApiError, type Answer, type ApiRequest, type Call, type Service, notImplemented } from "../../core/service.js";
import type { AzureState } from "../../state/state.js";
import { authorityUrl } from "../../core/access-token.js";
import { prepareFederation } from "./federated-assertion.js";
import { token } from "./token.js";

const host = "login.microsoftonline.com";

export const entraService: Service = {
  hosts: (name) => name === host,
  prepare: (request, deps) => (routeOf(request).route === tokenRoute ? prepareFederation(request, deps) : Promise.resolve(undefined)),
  handle(call) {
    const { method, path } = call.request;
    const { first, route } = routeOf(call.request);
    if (first === "common" && route === "GET discovery/instance") return instanceDiscovery(call);
    if (route === "GET v2.0/.well-known/openid-configuration") {
      return openidConfiguration(audiences.has(first.toLowerCase()) ? first.toLowerCase() : tenantNamed(call.state, first), call);
    }
    if (route === "GET .well-known/openid-configuration") {
      return firstConfiguration(audiences.has(first.toLowerCase()) ? first.toLowerCase() : tenantNamed(call.state, first), call);
    }
    if (route === tokenRoute) return token(tenantNamed(call.state, first), call);
    throw notImplemented(`${method} https://${host}/${path.join("/")} is not emulated.`);
  },
};

const tokenRoute = "POST oauth2/v2.0/token";

function routeOf({ method, path: [first = "", ...rest] }: ApiRequest): { readonly first: string; readonly route: string } {
  return { first, route: `${method} ${rest.join("/").toLowerCase()}` };
}

/** Names in place of a tenant, which have a configuration and no tokens of their own. */
const audiences = new Set(["common", "organizations"]);

/** MSAL caches only if the aliases contain the host it asked. */
function instanceDiscovery(call: Call): Answer {
  const authorize = call.request.query.get("authorization_endpoint") ?? authorityUrl("common");
  const tenant = new URL(authorize).pathname.split("/")[1] ?? "common";
  return {
    status: 200,
    takes: call.sample("read"),
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

/** `tenant` is an ID, or one of the audiences. */
function openidConfiguration(tenant: string, call: Call): Answer {
  const authority = authorityUrl(tenant);
  const isAudience = audiences.has(tenant);
  return {
    status: 200,
    takes: call.sample("read"),
    body: {
      token_endpoint: `${authority}/oauth2/v2.0/token`,
      token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
      jwks_uri: `${authority}/discovery/v2.0/keys`,
      response_modes_supported: ["query", "fragment", "form_post"],
      subject_types_supported: ["pairwise"],
      id_token_signing_alg_values_supported: ["RS256"],
      response_types_supported: ["code", "id_token", "code id_token", "id_token token"],
      scopes_supported: ["openid", "profile", "email", "offline_access"],
      // A placeholder, literally: the tenant is known only from a token.
      issuer: isAudience ? `https://${host}/{tenantid}/v2.0` : `${authority}/v2.0`,
      request_uri_parameter_supported: false,
      userinfo_endpoint: "https://graph.microsoft.com/oidc/userinfo",
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      device_authorization_endpoint: `${authority}/oauth2/v2.0/devicecode`,
      http_logout_supported: true,
      frontchannel_logout_supported: true,
      end_session_endpoint: `${authority}/oauth2/v2.0/logout`,
      claims_supported: ["sub", "iss", "cloud_instance_name", "aud", "exp", "iat", "auth_time", "nonce", "name", "tid", "ver", "email"],
      tenant_region_scope: isAudience ? null : "NA",
      cloud_instance_name: "microsoftonline.com",
      cloud_graph_host_name: "graph.windows.net",
      msgraph_host: "graph.microsoft.com",
      rbac_url: "https://pas.windows.net",
    },
  };
}

/** That of version 1, whose endpoints and issuer are others. Tokens are issued by version 2 only. */
function firstConfiguration(tenant: string, call: Call): Answer {
  const { status, takes, body } = openidConfiguration(tenant, call);
  const authority = authorityUrl(tenant);
  return {
    status,
    ...(takes !== undefined && { takes }),
    body: {
      ...(body as object),
      token_endpoint: `${authority}/oauth2/token`,
      jwks_uri: `${authorityUrl("common")}/discovery/keys`,
      issuer: `https://sts.windows.net/${audiences.has(tenant) ? "{tenantid}" : tenant}/`,
      authorization_endpoint: `${authority}/oauth2/authorize`,
      device_authorization_endpoint: `${authority}/oauth2/devicecode`,
      end_session_endpoint: `${authority}/oauth2/logout`,
      userinfo_endpoint: `${authority}/openid/userinfo`,
    },
  };
}

function tenantNamed(state: AzureState, name: string): string {
  if (name.toLowerCase() === state.tenantId) return state.tenantId;
  throw new ApiError(
    400,
    "invalid_request",
    `AADSTS90002: Tenant '${name}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`,
  );
}

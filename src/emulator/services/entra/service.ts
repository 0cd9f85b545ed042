/** login.microsoftonline.com: discovery, and the token endpoint. */
import { ApiError, type Answer, type Call, type Service, notImplemented } from "../../service.js";
import type { AzureState } from "../../state/state.js";
import { authorityUrl } from "./access-token.js";
import { prepareFederation } from "./federated-assertion.js";
import { token } from "./token.js";

const host = "login.microsoftonline.com";

export const entraService: Service = {
  hosts: (name) => name === host,
  anonymous: true,
  prepare: prepareFederation,
  handle(call) {
    const { method, path } = call.request;
    const [first = "", ...rest] = path;
    const route = `${method} ${rest.join("/").toLowerCase()}`;
    if (first === "common" && route === "GET discovery/instance") return instanceDiscovery(call);
    if (route === "GET v2.0/.well-known/openid-configuration") return openidConfiguration(tenantNamed(call.state, first), call);
    if (route === "POST oauth2/v2.0/token") return token(tenantNamed(call.state, first), call);
    throw notImplemented(`${method} https://${host}/${path.join("/")} is not emulated.`);
  },
};

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

function openidConfiguration(tenantId: string, call: Call): Answer {
  const authority = authorityUrl(tenantId);
  return {
    status: 200,
    takes: call.sample("read"),
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

function tenantNamed(state: AzureState, name: string): string {
  if (name.toLowerCase() === state.tenantId) return state.tenantId;
  throw new ApiError(
    400,
    "invalid_request",
    `AADSTS90002: Tenant '${name}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`,
  );
}

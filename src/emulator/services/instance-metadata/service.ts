/** The metadata service of virtual machines, where assigned identities get tokens without a secret. */
import { isRecord } from "../../arm/body-schema.js";
import { resourceNamed } from "../../arm/indexes.js";
import { keyOf } from "../../arm/resource-id.js";
import { ApiError, type Answer, type Call, type Service, notImplemented } from "../../core/service.js";
import type { AzureState, StoredResource } from "../../state/state.js";
import { isTokenAudience, signAccessToken, tokenLifetimeSeconds } from "../../core/access-token.js";
import { clientNamed } from "../entra/signed-in-client.js";

const suffix = ".instance-metadata.invalid";
const apiVersions = ["2018-02-01", "2018-10-01", "2019-08-01", "2020-06-01", "2021-02-01"];
const machineTypes = ["Microsoft.Compute/virtualMachineScaleSets", "Microsoft.Compute/virtualMachines"];

/** On Azure each machine reaches its own at 169.254.169.254; here the hostname identifies the machine. */
export const instanceMetadataService: Service = {
  hosts: (name) => name.endsWith(suffix),
  handle(call) {
    const { method, host, path } = call.request;
    if (method === "GET" && keyOf(path.join("/")) === "metadata/identity/oauth2/token") return token(call);
    throw notImplemented(`${method} https://${host}/${path.join("/")} is not emulated.`);
  },
};

async function token(call: Call): Promise<Answer> {
  const { state, request, now } = call;
  const { headers, query } = request;
  if (headers["metadata"]?.toLowerCase() !== "true") throw invalidRequest("Required metadata header not specified");
  // A request that was passed on may come from elsewhere.
  if (headers["x-forwarded-for"] !== undefined) throw invalidRequest("The request must not have the header X-Forwarded-For");
  if (!apiVersions.includes(required(call, "api-version"))) throw invalidRequest("The api-version is not supported");
  const resource = required(call, "resource");
  if (!isTokenAudience(resource)) {
    throw new ApiError(
      400,
      "invalid_resource",
      `AADSTS500011: The resource principal named ${resource} was not found in the tenant named ${state.tenantId}.`,
    );
  }
  const identity = wantedIdentity(identitiesOf(state, machineOf(state, request.host)), query);
  const client = clientNamed(call, String(identity.properties["clientId"]));
  const issued = Math.floor(now / 1000);
  return {
    status: 200,
    takes: call.sample("token"),
    body: {
      access_token: signAccessToken(state, { ...client, proof: "key" }, resource, now),
      client_id: client.appId,
      expires_in: String(tokenLifetimeSeconds),
      expires_on: String(issued + tokenLifetimeSeconds),
      ext_expires_in: String(tokenLifetimeSeconds),
      not_before: String(issued),
      resource,
      token_type: "Bearer",
    },
  };
}

function required({ request }: Call, name: string): string {
  const value = request.query.get(name);
  if (value === null || value === "") throw invalidRequest(`Required query variable '${name}' is missing`);
  return value;
}

/** The host of a machine that does not exist does not resolve. */
function machineOf(state: AzureState, host: string): StoredResource {
  const name = host.slice(0, -suffix.length);
  const found = machineTypes.map((type) => resourceNamed(state, type, name)).find((one) => one !== undefined);
  if (found !== undefined) return found;
  throw new ApiError(502, "HostNotResolved", `The host name '${host}' cannot be resolved: there is no such machine or scale set.`);
}

/** Those that are assigned to the machine and still exist. */
function identitiesOf({ resources }: AzureState, { beside }: StoredResource): StoredResource[] {
  const identity = beside?.["identity"];
  const assigned = isRecord(identity) && isRecord(identity["userAssignedIdentities"]) ? identity["userAssignedIdentities"] : {};
  return Object.keys(assigned).flatMap((id) => resources[keyOf(id)] ?? []);
}

/** The identity that a parameter names, or else the only one. */
function wantedIdentity(identities: readonly StoredResource[], query: URLSearchParams): StoredResource {
  const [clientId, objectId] = [query.get("client_id"), query.get("object_id")];
  const resourceId = query.get("msi_res_id") ?? query.get("mi_res_id");
  const named = [clientId, objectId, resourceId].some((value) => value !== null);
  if (!named && identities.length > 1) {
    throw invalidRequest(
      "Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token request",
    );
  }
  const same = (wanted: string | null, held: unknown) => wanted === null || keyOf(wanted) === keyOf(String(held));
  const found = identities.find(
    ({ id, properties }) => same(clientId, properties["clientId"]) && same(objectId, properties["principalId"]) && same(resourceId, id),
  );
  if (found === undefined) throw invalidRequest("Identity not found");
  return found;
}

function invalidRequest(message: string): ApiError {
  return new ApiError(400, "invalid_request", message);
}

/** The principal behind a client ID: an application, or a user-assigned managed identity. */
import { resourcesByClient } from "../../arm/indexes.js";
import { keyOf } from "../../arm/resource-id.js";
import { childrenOf } from "../../arm/uses.js";
import { ApiError, type Call } from "../../core/service.js";
import { namedIn } from "../../common/named.js";
import type { AzureState } from "../../state/state.js";
import type { Application, FederatedCredential } from "../../state/application.js";

export interface Client {
  readonly appId: string;
  readonly displayName: string;
  /** Object ID of the service principal. */
  readonly objectId: string;
  readonly roles: readonly string[];
  /** Absent for a managed identity: clients know no secret or certificate of it. */
  readonly application?: Application;
  /** ARM ID, for a managed identity. */
  readonly identityId?: string;
  readonly federated: readonly Pick<FederatedCredential, "issuer" | "subject" | "audiences">[];
}

/** @throws ApiError AADSTS700016 if the application is unknown or has no service principal here; AADSTS7000112 if that is disabled. */
export function clientNamed({ state }: Pick<Call, "state">, clientId: string): Client {
  const appId = clientId.toLowerCase();
  const client = applicationClient(state, appId) ?? identityClient(state, appId);
  if (client !== undefined) return client;
  throw new ApiError(
    400,
    "unauthorized_client",
    `AADSTS700016: Application with identifier '${clientId}' was not found in the directory '${state.tenantId}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.`,
  );
}

function applicationClient(state: AzureState, appId: string): Client | undefined {
  const application = namedIn(state.applications, appId);
  if (application?.servicePrincipalId === undefined) return undefined;
  const { displayName, servicePrincipalId, servicePrincipal, graphPermissions, federatedCredentials = [] } = application;
  if (servicePrincipal?.disabled) {
    throw new ApiError(400, "unauthorized_client", `AADSTS7000112: Application '${appId}'(${displayName}) is disabled.`);
  }
  return { appId, displayName, objectId: servicePrincipalId, roles: graphPermissions, application, federated: federatedCredentials };
}

const identityType = "microsoft.managedidentity/userassignedidentities";

function identityClient(state: AzureState, appId: string): Client | undefined {
  const identity = resourcesByClient.find(state.resources, appId).find(({ type }) => keyOf(type) === identityType);
  if (identity === undefined) return undefined;
  const federated = childrenOf(state, identity.id, "federatedIdentityCredentials").map(
    ({ properties }) => properties as Pick<FederatedCredential, "issuer" | "subject" | "audiences">,
  );
  const objectId = String(identity.properties["principalId"]);
  return { appId, displayName: identity.name, objectId, roles: [], identityId: identity.id, federated };
}

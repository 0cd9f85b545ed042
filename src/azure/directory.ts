/** Microsoft Graph: who is behind a client id, and the applications that we make. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { applications, type Applications } from "./applications.js";
import { graphClient } from "./graph-client.js";
import { whereOneOf } from "./graph-lists.js";

export interface Principal {
  readonly appId: string;
  /** Object id of the service principal: what a role is assigned to. */
  readonly id: string;
  readonly displayName: string;
  /** False: Entra gives it no tokens. */
  readonly accountEnabled: boolean;
  /** "Application", "ManagedIdentity". */
  readonly servicePrincipalType: string;
  /** Tenant of its application; null for a managed identity. */
  readonly appOwnerOrganizationId: string | null;
}

export interface Directory extends Applications {
  /** The service principals behind these client ids, of applications and managed identities alike, in as few requests as Graph admits. */
  servicePrincipals(clientIds: readonly string[]): Promise<Principal[]>;
  /** Those of these object ids that are there. */
  principals(objectIds: readonly string[]): Promise<Principal[]>;
}

/** `send` is the pipeline of every other client, so that Graph is retried, signed in to and paced alike. */
export function directory(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): Directory {
  const graph = graphClient(endpoint, send);
  const principalsWith = (property: "id" | "appId", values: readonly string[]) =>
    whereOneOf<Principal>(graph, values, (some) => ({
      path: "/servicePrincipals",
      filter: `${property} in (${some.map((value) => `'${value}'`).join(",")})`,
      select: "id,appId,displayName,accountEnabled,servicePrincipalType,appOwnerOrganizationId",
    }));
  return {
    ...applications(graph),
    servicePrincipals: (clientIds) => principalsWith("appId", clientIds),
    principals: (objectIds) => principalsWith("id", objectIds),
  };
}

/** Microsoft Graph: service principals by client ID, and the applications that this program creates. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { applications, type Applications } from "./applications.js";
import { graphClient } from "./graph-client.js";
import { entriesWithValues } from "./graph-lists.js";

export interface Principal {
  readonly appId: string;
  /** Object ID of the service principal; role assignments refer to it. */
  readonly id: string;
  readonly displayName: string;
  /** Entra issues no tokens to a disabled principal. */
  readonly accountEnabled: boolean;
  /** "Application", "ManagedIdentity". */
  readonly servicePrincipalType: string;
  /** Tenant of its application; null for a managed identity. */
  readonly appOwnerOrganizationId: string | null;
}

export interface Directory extends Applications {
  /** The service principals with these client IDs, of applications and of managed identities, in the fewest requests that Graph allows. */
  servicePrincipals(clientIds: readonly string[]): Promise<Principal[]>;
  /** Which of these object IDs exist. */
  principals(objectIds: readonly string[]): Promise<Principal[]>;
}

/** `send` is the pipeline of every other client: the same retries, sign-in and rate limit apply to Graph. */
export function directory(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): Directory {
  const graph = graphClient(endpoint, send);
  const principalsWith = (property: "id" | "appId", values: readonly string[]) =>
    entriesWithValues<Principal>(graph, values, (some) => ({
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

/** Microsoft Graph: principals by their IDs, living and deleted, and the applications that this program creates. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { applications, type Applications } from "./applications.js";
import { graphClient } from "./graph-client.js";
import { allPages, entriesWithValues } from "./graph-lists.js";

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

/** An object of any type. Of a type that the caller may not read, Graph returns no more than this. */
export interface DirectoryObject {
  readonly id: string;
  /** "#microsoft.graph.user" */
  readonly "@odata.type": string;
  /** Of a service principal. */
  readonly appId?: string;
}

/** A service principal in the directory's bin. */
export interface DeletedPrincipal {
  readonly id: string;
  readonly appId: string;
  /** "ManagedIdentity": such a principal never comes back, an application's does with its application. */
  readonly servicePrincipalType: string;
}

export interface Directory extends Applications {
  /** The service principals with these client IDs, of applications and of managed identities, in the fewest requests that Graph allows. */
  servicePrincipals(clientIds: readonly string[]): Promise<Principal[]>;
  /** Which of these object IDs exist. */
  principals(objectIds: readonly string[]): Promise<Principal[]>;
  /** Those of these object IDs that exist, of any type, in one request: at most 1,000. Graph leaves out unknown ones without a word. */
  objects(objectIds: readonly string[]): Promise<DirectoryObject[]>;
  /** Any one object of this kind; undefined if there is none. */
  anyOf(kind: "servicePrincipals" | "users" | "groups"): Promise<{ readonly id: string } | undefined>;
  deletedPrincipals(): Promise<DeletedPrincipal[]>;
  /** How many objects the tenant has, deleted ones included, and how many it may have; undefined if Graph does not say. Only beta has it. */
  size(): Promise<DirectorySize | undefined>;
}

export interface DirectorySize {
  readonly used: number;
  readonly total: number;
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
    async objects(ids) {
      const { value } = await graph<{ readonly value: readonly DirectoryObject[] }>((client) =>
        client.api("/directoryObjects/getByIds").post({ ids }),
      );
      return [...value];
    },
    async anyOf(kind) {
      const { value } = await graph<{ readonly value: readonly { readonly id: string }[] }>((client) =>
        client.api(`/${kind}?$top=1&$select=id`).get(),
      );
      return value[0];
    },
    async size() {
      const { value } = await graph<{ readonly value: readonly { readonly directorySizeQuota?: DirectorySize }[] }>((client) =>
        client.api("/organization?$select=id,directorySizeQuota").version("beta").get(),
      );
      return value[0]?.directorySizeQuota;
    },
    deletedPrincipals: () =>
      allPages<DeletedPrincipal>(graph, "/directory/deletedItems/microsoft.graph.servicePrincipal?$select=id,appId,servicePrincipalType"),
  };
}

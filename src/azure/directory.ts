/** Microsoft Graph: who is behind a client id, and the applications that we make. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { applications, type Applications } from "./applications.js";
import { graphClient } from "./graph-client.js";

/** Microsoft Graph takes at most 15 values in an `in` filter. */
const valuesPerFilter = 15;

export interface Principal {
  readonly appId: string;
  /** Object id of the service principal: what a role is assigned to. */
  readonly id: string;
  readonly displayName: string;
}

interface Page {
  readonly value: readonly Principal[];
  readonly "@odata.nextLink"?: string;
}

export interface Directory extends Applications {
  /** The service principals behind these client ids, of applications and managed identities alike, in as few requests as Graph admits. */
  servicePrincipals(clientIds: readonly string[]): Promise<Principal[]>;
}

/** `send` is the pipeline of every other client, so that Graph is retried, signed in to and paced alike. */
export function directory(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): Directory {
  const graph = graphClient(endpoint, send);
  return {
    ...applications(graph),
    async servicePrincipals(clientIds) {
      const found: Principal[] = [];
      for (let from = 0; from < clientIds.length; from += valuesPerFilter) {
        const some = clientIds.slice(from, from + valuesPerFilter);
        const filter = `appId in (${some.map((id) => `'${id}'`).join(",")})`;
        let page = await graph<Page>((client) => client.api("/servicePrincipals").filter(filter).select("id,appId,displayName").get());
        found.push(...page.value);
        for (let next; (next = page["@odata.nextLink"]) !== undefined;) {
          const address = next;
          page = await graph<Page>((client) => client.api(address).get());
          found.push(...page.value);
        }
      }
      return found;
    },
  };
}

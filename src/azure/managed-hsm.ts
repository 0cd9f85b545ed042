/** The data plane of one managed HSM: its keys through the SDK's client, and the role assignments that it keeps itself. */
import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
} from "@azure/core-rest-pipeline";
import { KeyClient } from "@azure/keyvault-keys";
import type { Role } from "../domain/roles.js";
import { parseJson } from "../text/json.js";
import type { Connection } from "./connection.js";
import { existingHsmPolicy } from "./existing-hsm.js";
import { list, object, optional, text, type Check } from "./members.js";
import { notFromAzure } from "./not-from-azure.js";
import { arrangePipeline } from "./pipeline.js";
import { managedHsmService } from "./service.js";
import { serviceUrl } from "./service-url.js";
import { vaultClientOptions } from "./vault-content.js";

export interface ManagedHsm {
  readonly keys: KeyClient;
  /** The assignments on exactly this scope: "/", "/keys" or "/keys/NAME". */
  assignments(scope: string): Promise<readonly LocalAssignment[]>;
  /** `name` is a UUID. */
  assign(scope: string, name: string, assignment: { readonly principalId: string; readonly role: Role }): Promise<void>;
  /** @throws RestError RoleAssignmentNotFound if there is none */
  unassign(assignment: Pick<LocalAssignment, "name" | "scope">): Promise<void>;
}

/** An assignment in a response, with the members that are read of it. */
const assignmentIn = object({ name: text, properties: object({ principalId: text, roleDefinitionId: text, scope: text }) });
const pageIn = object({ value: list(assignmentIn), nextLink: optional(text) });

interface Page {
  readonly value: readonly { readonly name: string; readonly properties: Omit<LocalAssignment, "name"> }[];
  readonly nextLink?: string | null;
}

export interface LocalAssignment {
  /** A UUID. */
  readonly name: string;
  /** "/", "/keys" or "/keys/NAME". */
  readonly scope: string;
  readonly principalId: string;
  /** "Microsoft.KeyVault/providers/Microsoft.Authorization/roleDefinitions/UUID" */
  readonly roleDefinitionId: string;
}

/** Of the SDK's client for keys. */
const apiVersion = "7.6";

/** `brief`: a missing role is a result, so nothing waits until one takes effect. */
export function managedHsm(connection: Connection, name: string, retries: { readonly brief: boolean }): ManagedHsm {
  const { hsmSuffix } = connection.cloud;
  const url = serviceUrl(name, hsmSuffix);
  const pipeline = createPipelineFromOptions({ userAgentOptions: { userAgentPrefix: connection.userAgent } });
  const noProvider = () => Promise.resolve(false);
  arrangePipeline(pipeline, connection, { service: managedHsmService(url), scope: `https://${hsmSuffix}/.default`, register: noProvider });
  const httpClient = createDefaultHttpClient();
  /** Returns the body after the check. */
  const ask = async (request: PipelineRequest, check: Check): Promise<unknown> => {
    const response = await pipeline.sendRequest(httpClient, request);
    const { status } = response;
    if (status >= 300) throw new RestError(`the managed HSM returned status ${String(status)}`, { request, response, statusCode: status });
    const body = parseJson(response.bodyAsText ?? "");
    const wrong = check(body);
    if (wrong !== undefined) throw notFromAzure(request, `has no valid ${wrong === "" ? "body" : wrong}`);
    return body;
  };
  const urlOf = (scope: string, assignment = "") =>
    `${url}${scope === "/" ? "" : scope}/providers/Microsoft.Authorization/roleAssignments${assignment}?api-version=${apiVersion}`;
  const options = vaultClientOptions(connection, url, retries);
  const exists = { policy: existingHsmPolicy(name, connection), position: "perRetry" } as const;
  return {
    // Not for role assignments: every command reads the key before them, so this request finds a wrong name first.
    keys: new KeyClient(url, connection.credential, { ...options, additionalPolicies: [exists, ...options.additionalPolicies] }),
    async assignments(scope) {
      const listed: LocalAssignment[] = [];
      for (let next: string | undefined = urlOf(scope); next !== undefined;) {
        const page = (await ask(createPipelineRequest({ url: next }), pageIn)) as Page;
        listed.push(...page.value.map(({ name: assigned, properties }) => ({ name: assigned, ...properties })));
        next = page.nextLink ?? undefined;
      }
      return listed;
    },
    async assign(scope, assignment, { principalId, role }) {
      const roleDefinitionId = `Microsoft.KeyVault/providers/Microsoft.Authorization/roleDefinitions/${role.id}`;
      const request = createPipelineRequest({
        url: urlOf(scope, `/${assignment}`),
        method: "PUT",
        headers: createHttpHeaders({ "content-type": "application/json" }),
        body: JSON.stringify({ properties: { principalId, roleDefinitionId } }),
      });
      await ask(request, assignmentIn);
    },
    async unassign({ scope, name: assigned }) {
      await ask(createPipelineRequest({ url: urlOf(scope, `/${assigned}`), method: "DELETE" }), assignmentIn);
    },
  };
}

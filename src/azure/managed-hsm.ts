/** The data plane of one managed HSM: its keys through the SDK's client, and the role assignments that it keeps itself. */
import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
  isRestError,
  RestError,
  type PipelinePolicy,
  type PipelineRequest,
} from "@azure/core-rest-pipeline";
import { KeyClient } from "@azure/keyvault-keys";
import { z } from "zod";
import type { Role } from "../domain/roles.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { parseJson } from "../text/json.js";
import { detailOf } from "./azure-error.js";
import type { Connection } from "./connection.js";
import { arrangePipeline } from "./pipeline.js";
import { proxyOf } from "./proxy.js";
import { readAnswer } from "./schema-fault.js";
import { managedHsmService } from "./service.js";
import { serviceUrl } from "./service-url.js";
import type { Transport } from "./transport.js";
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
const assignmentIn = z.object({
  name: z.string(),
  properties: z.object({ principalId: z.string(), roleDefinitionId: z.string(), scope: z.string() }),
});
const pageIn = z.object({ value: z.array(assignmentIn), nextLink: z.string().nullish() });

export interface LocalAssignment {
  /** A UUID. */
  readonly name: string;
  /** "/", "/keys" or "/keys/NAME". */
  readonly scope: string;
  readonly principalId: string;
  /** "Microsoft.KeyVault/providers/Microsoft.Authorization/roleDefinitions/UUID" */
  readonly roleDefinitionId: string;
}

/** The version that the SDK's client for keys uses. */
const apiVersion = "7.6";

/** `brief`: a missing role is a result, so nothing waits until one takes effect. */
export function managedHsm(connection: Connection, name: string, retries: { readonly brief: boolean }): ManagedHsm {
  const { hsmSuffix } = connection.cloud;
  const url = serviceUrl(name, hsmSuffix);
  const pipeline = createPipelineFromOptions({ userAgentOptions: { userAgentPrefix: connection.userAgent } });
  const noProvider = () => Promise.resolve(false);
  arrangePipeline(pipeline, connection, { service: managedHsmService(url), scope: `https://${hsmSuffix}/.default`, register: noProvider });
  const httpClient = createDefaultHttpClient();
  const ask = async <T>(request: PipelineRequest, schema: z.ZodType<T>): Promise<T> => {
    const response = await pipeline.sendRequest(httpClient, request);
    const { status } = response;
    if (status >= 300) throw new RestError(`the managed HSM returned status ${String(status)}`, { request, response, statusCode: status });
    return readAnswer(request, schema, parseJson(response.bodyAsText ?? ""));
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
        const page: z.infer<typeof pageIn> = await ask(createPipelineRequest({ url: next }), pageIn);
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

/** A proxy that cannot resolve a name returns "HostNotResolved". "EAI_AGAIN" is left out: DNS may answer differently a moment later. */
const unresolvedCodes: readonly (string | undefined)[] = ["ENOTFOUND", "HostNotResolved"];

/**
 * Goes inside the retry policy: this program creates no HSM, so waiting does not help.
 * @throws ARO-OWN-003 if the hostname does not resolve, and the HSM has sent no response in this run
 */
export function existingHsmPolicy(name: string, { contact }: Pick<Transport, "contact">): PipelinePolicy {
  return {
    name: "aroHcpExistingHsmPolicy",
    async sendRequest(request, next) {
      const { host } = new URL(request.url);
      if (contact?.hosts.has(host)) return next(request);
      try {
        const response = await next(request);
        if (response.status < 400 || !unresolvedCodes.includes(detailOf(response).code)) return response;
      } catch (error) {
        // With a proxy, it is the hostname of the proxy that does not resolve.
        if (!isRestError(error) || proxyOf(request) !== undefined || !unresolvedCodes.includes(error.code)) throw error;
      }
      throw new Failure("ARO-OWN-003", `managed HSM "${name}" does not exist`, {
        because: `the hostname ${host} does not resolve`,
        next: [
          advise`check the name: ${shell`az keyvault list --resource-type hsm --query [].name`} lists the managed HSMs of the subscription`,
        ],
      });
    },
  };
}

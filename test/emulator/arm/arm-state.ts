/** A state of its own for each test, a clock to turn, and direct calls to the service. */
import { appendFileSync } from "node:fs";
import { armService } from "../../../src/emulator/services/resource-manager/service.js";
import { systemRandom } from "../../../src/emulator/common/random.js";
import { errorAnswer } from "../../../src/emulator/core/error-envelope.js";
import { ApiError, type Answer, type ApiRequest, type Caller } from "../../../src/emulator/core/service.js";
import { sampleUuid } from "../../../src/emulator/state/sampling.js";
import { freshState } from "../../../src/emulator/state/seed.js";
import { wellKnown } from "../../../src/emulator/state/well-known.js";
import type { AzureState } from "../../../src/emulator/state/state.js";

export const subscription = `/subscriptions/${wellKnown.subscriptionId}`;

export interface SendOptions {
  readonly apiVersion?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caller?: Caller;
  /** Not recorded: a request that violates Azure's published description on purpose. */
  readonly unrecorded?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** In the format of recorded lines, for the check with Azure's published API descriptions. */
export interface TrafficLine {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: unknown;
}

const versionsByNamespace: Readonly<Record<string, string>> = {
  "microsoft.network": "2025-05-01",
  "microsoft.network/privatednszones": "2024-06-01",
  "microsoft.network/dnszones": "2018-05-01",
  "microsoft.managedidentity": "2024-11-30",
  "microsoft.authorization": "2022-04-01",
  "microsoft.compute": "2024-07-01",
  "microsoft.containerservice": "2025-07-01",
  "microsoft.storage": "2025-01-01",
  "microsoft.keyvault": "2026-02-01",
  "microsoft.resourcegraph": "2024-04-01",
};

export class ArmState {
  state: AzureState = freshState("secret");
  now = Date.parse("2026-01-01T00:00:00Z");
  /** Seconds that operations take; 0 by default. */
  seconds: Readonly<Record<string, number>> = {};
  readonly traffic: TrafficLine[] = [];

  /** Sends a request as the server would: on a copy of the state, kept if the answer is a success. */
  send(method: ApiRequest["method"], target: string, body?: unknown, options: SendOptions = {}): Reply {
    const absolute = target.startsWith("https://");
    const url = new URL(absolute ? target : `https://management.azure.com${target}`);
    if (!absolute && !url.searchParams.has("api-version")) url.searchParams.set("api-version", options.apiVersion ?? versionFor(target));
    const state = structuredClone(this.state);
    const headers = Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
    const reply = this.#answer(
      state,
      {
        method,
        host: url.host,
        path: url.pathname.split("/").filter(Boolean).map(decodeURIComponent),
        target: absolute ? target.slice("https://management.azure.com".length) : `${url.pathname}${url.search}`,
        query: url.searchParams,
        headers,
        body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
      },
      options.caller,
    );
    const line = {
      method,
      url: url.href,
      requestHeaders: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      requestBody: body ?? null,
      status: reply.status,
      responseHeaders: reply.body === undefined ? reply.headers : { ...reply.headers, "content-type": "application/json; charset=utf-8" },
      responseBody: reply.body ?? null,
    };
    if (options.unrecorded !== true) this.#record(line);
    return reply;
  }

  /** Kept, and appended to the file that ARO_HCP_LOCAL_RECORD names, as the server does. */
  #record(line: TrafficLine): void {
    this.traffic.push(line);
    const file = process.env["ARO_HCP_LOCAL_RECORD"];
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
  }

  #answer(state: AzureState, request: ApiRequest, caller?: Caller): Reply {
    const call = {
      request,
      state,
      now: this.now,
      caller: caller ?? { objectId: wellKnown.clientPrincipalId, appId: wellKnown.clientId, audience: "https://management.azure.com" },
      sample: (key: string): number => this.seconds[key] ?? 0,
      milliseconds: (seconds: number): number => seconds * 1000,
      uuid: (): string => sampleUuid(state),
      random: systemRandom,
    };
    try {
      const { status, headers = {}, body } = armService.handle(call) as Answer;
      this.state = JSON.parse(JSON.stringify(state)) as AzureState;
      return { status, headers, body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, headers = {}, body } = errorAnswer(error, request, { requestId: "", now: this.now });
      return { status, headers, body: JSON.parse(JSON.stringify(body)) };
    }
  }

  get(target: string, options?: SendOptions): Reply {
    return this.send("GET", target, undefined, options);
  }

  put(target: string, body: unknown, options?: SendOptions): Reply {
    return this.send("PUT", target, body, options);
  }

  delete(target: string, options?: SendOptions): Reply {
    return this.send("DELETE", target, undefined, options);
  }

  /** Moves the clock forward by seconds. */
  pass(seconds: number): void {
    this.now += seconds * 1000;
  }

  group(name: string, tags?: Readonly<Record<string, string>>): string {
    const id = `${subscription}/resourceGroups/${name}`;
    this.put(id, { location: "eastus", ...(tags === undefined ? {} : { tags }) });
    return id;
  }

  /** A caller with these roles, by GUID and scope. */
  caller(name: string, grants: readonly { role: string; scope: string }[]): Caller {
    const objectId = sampleUuid(this.state);
    for (const { role, scope } of grants) {
      const assignment = sampleUuid(this.state);
      const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${assignment}`;
      this.state.roleAssignments[id.toLowerCase()] = {
        id,
        name: assignment,
        scope,
        roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
        principalId: objectId,
        principalType: "ServicePrincipal",
        createdOn: "2026-01-01T00:00:00Z",
      };
    }
    return { objectId, appId: `${name}-app`, audience: "https://management.azure.com" };
  }
}

function versionFor(target: string): string {
  const [, provider = ""] = /.*\/providers\/([^?]+)/i.exec(target) ?? [];
  const [namespace = "", type = ""] = provider.toLowerCase().split("/");
  if (/^\/(subscriptions(\/[^/]+(\/locations)?)?|tenants)(\?|$)/i.test(target)) return "2022-12-01";
  return versionsByNamespace[`${namespace}/${type}`] ?? versionsByNamespace[namespace] ?? "2025-04-01";
}

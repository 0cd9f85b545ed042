/** Azure's REST APIs as `az` calls them: a method, a URL, a body. */
import { text } from "node:stream/consumers";
import { createHttpHeaders, createPipelineRequest, type HttpMethods } from "@azure/core-rest-pipeline";
import type { Azure } from "../../src/azure/azure.js";

export type Properties = Readonly<Record<string, unknown>>;

export interface AzureRest {
  /** `url` is of Resource Manager or Graph. Returns the response body. @throws Error for an error response. */
  send(method: string, url: string, body?: object): Promise<Properties>;
  /** `id` is a resource ID. */
  arm(method: string, id: string, apiVersion: string, body?: object): Promise<Properties>;
  /** `path` starts after the version: `/servicePrincipals`. */
  graph(method: string, path: string, body?: object): Promise<Properties>;
}

export function azureRest({ connection }: Azure): AzureRest {
  const { cloud, credential, send: answered } = connection;
  if (answered === undefined) throw new Error("not a client of the emulator in this process");
  const send: AzureRest["send"] = async (method, url, body) => {
    const host = [cloud.resourceManager, cloud.graph].find((each) => url.startsWith(`${each}/`));
    if (host === undefined) throw new Error(`az has no token for ${url}`);
    const token = await credential.getToken(`${host}/.default`);
    const request = createPipelineRequest({
      url,
      method: method as HttpMethods,
      headers: createHttpHeaders({ authorization: `Bearer ${token?.token ?? ""}`, "content-type": "application/json" }),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { status, readableStreamBody } = await answered(request);
    const content = readableStreamBody ? await text(readableStreamBody) : "";
    if (status >= 300) throw new Error(`${method} ${url} failed with ${String(status)}: ${content}`);
    return content === "" ? {} : (JSON.parse(content) as Properties);
  };
  return {
    send,
    arm: (method, id, apiVersion, body) => send(method, `${cloud.resourceManager}${id}?api-version=${apiVersion}`, body),
    graph: (method, path, body) => send(method, `${cloud.graph}/v1.0${path}`, body),
  };
}

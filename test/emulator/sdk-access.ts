/** What Azure's own SDKs need to reach a server: a credential, and options that connect to it. */
import { readFileSync } from "node:fs";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { ClientSecretCredential } from "@azure/identity";
import { agentFor, wellKnown, type Emulator } from "../../src/emulator/index.js";

export function sdkAccess(server: Emulator) {
  const agent = agentFor(server);
  const policy: PipelinePolicy = {
    name: "emulator",
    sendRequest: (request, next) => {
      request.agent = agent;
      return next(request);
    },
  };
  const options = { additionalPolicies: [{ position: "perRetry" as const, policy }] };
  const { clientSecret } = JSON.parse(readFileSync(server.credentialsFile, "utf8")) as { clientSecret: string };
  const credential = new ClientSecretCredential(wellKnown.tenantId, wellKnown.clientId, clientSecret, {
    ...options,
    disableInstanceDiscovery: true,
  });
  return { credential, options };
}

export async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** The server, called by Azure's own SDKs. */
import { readFileSync } from "node:fs";
import { ClientSecretCredential } from "@azure/identity";
import { ResourceManagementClient } from "@azure/arm-resources";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentFor, openEmulator, wellKnown, type Emulator } from "../../src/emulator/index.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const { path: directory } = temporaryDirectory(afterAll);
let server: Emulator;

beforeAll(async () => {
  server = await openEmulator({ directory, environment: {} });
});
afterAll(async () => {
  await server.close();
});

function throughServer(): { position: "perRetry"; policy: PipelinePolicy }[] {
  const agent = agentFor(server);
  const policy: PipelinePolicy = {
    name: "emulator",
    sendRequest: (request, next) => {
      request.agent = agent;
      return next(request);
    },
  };
  return [{ position: "perRetry", policy }];
}

function credential(secret?: string): ClientSecretCredential {
  const { clientSecret } = JSON.parse(readFileSync(server.credentialsFile, "utf8")) as { clientSecret: string };
  return new ClientSecretCredential(wellKnown.tenantId, wellKnown.clientId, secret ?? clientSecret, {
    additionalPolicies: throughServer(),
    disableInstanceDiscovery: true,
  });
}

test("the identity SDK gets a token for the client of azure-creds.json", async () => {
  const token = await credential().getToken("https://management.azure.com/.default");
  expect(token.token.split(".")).toHaveLength(3);
});

test("the identity SDK reports Entra's code for a wrong secret", async () => {
  await expect(credential("wrong").getToken("https://management.azure.com/.default")).rejects.toThrow(/AADSTS7000215/);
});

test("the resources SDK lists the groups of a fresh state", async () => {
  const client = new ResourceManagementClient(credential(), wellKnown.subscriptionId, { additionalPolicies: throughServer() });
  const names: (string | undefined)[] = [];
  for await (const group of client.resourceGroups.list()) names.push(group.name);
  expect(names).toEqual([wellKnown.dnsGroup]);
});

/** The process of `local serve`, and processes of others that use it with the environment that it prints. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { firstLine, plainEnvironment, startNode } from "../../tools/cli-process.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";

/** Azure's SDK without a change. */
const listsGroups = `
import { ResourceManagementClient } from "@azure/arm-resources";
import { EnvironmentCredential } from "@azure/identity";
const client = new ResourceManagementClient(new EnvironmentCredential(), process.env.AZURE_SUBSCRIPTION_ID);
for await (const { name } of client.resourceGroups.list()) console.log(name);
`;

test("an SDK and a command in processes of their own use the served directory, until SIGTERM ends it", async () => {
  const azure = await testEmulator();
  const server = await azure.start(["local", "serve"]);
  const { credentialsFile, env } = JSON.parse(await firstLine(server)) as { credentialsFile: string; env: Record<string, string> };
  const printed = await azure.cli(["local", "env", "--shell", "bash"]);
  const evaluated = execFileSync("bash", ["-c", `${printed.stdout}\n"${process.execPath}" -p 'JSON.stringify(process.env)'`], {
    env: { NO_PROXY: "localhost" },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  const wanted = Object.entries(env).filter(([, value]) => value !== "");
  expect(JSON.parse(evaluated)).toMatchObject(Object.fromEntries(wanted));
  expect(JSON.parse(evaluated)).not.toHaveProperty("NO_PROXY");
  const created = await azure.spawn(["create", "infra", ...demo, ...demoDomain, "--output-file", azure.path("infra.json"), "--yes"]);
  expect(created.code, created.stderr).toBe(0);

  const { tenantId, clientId, clientSecret } = JSON.parse(readFileSync(credentialsFile, "utf8")) as Record<string, string>;
  const listed = await startNode(["--input-type=module", "--eval", listsGroups], {
    ...plainEnvironment(azure.path(".")),
    ...env,
    ...{ AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret },
    AZURE_SUBSCRIPTION_ID: wellKnown.subscriptionId,
  }).ended;
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout.split("\n")).toContain("demo-demo-x7k2");

  server.process.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
  expect(existsSync(join(azure.directory, "serving.json"))).toBe(false);
});

/** Fault rules: which request they apply to, and whether its write took effect. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseFaultRules } from "../../src/emulator/core/fault-rules.js";
import { stateSnapshot, wellKnown } from "../../src/emulator/index.js";
import { programBeside } from "./compiled.js";
import { faultsFile, openLocalServer, type LocalServer } from "./local-server.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const arm = "management.azure.com";
const group = (name: string): string => `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${name}?api-version=2025-04-01`;

async function serverWith(rules: unknown): Promise<LocalServer> {
  const directory = temporaryDirectory().path;
  return openLocalServer({ directory, environment: { ARO_HCP_LOCAL_FAULTS: faultsFile(directory, rules) } });
}

async function put(server: LocalServer, token: string, name: string): Promise<number | string> {
  try {
    return (await server.call(arm, group(name), { method: "PUT", token, body: { location: "eastus" } })).status;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "lost";
  }
}

async function groupsOf(directory: string): Promise<string[]> {
  const { resources } = await stateSnapshot(directory);
  return Object.keys(resources).flatMap((id) => /resourcegroups\/(\w+)$/.exec(id)?.[1] ?? []);
}

test("the second matching request is answered by the rule, the others by Azure", async () => {
  const answer = { status: 429, headers: { "retry-after": "0" }, body: { error: { code: "RetryableError", message: "later" } } };
  const server = await serverWith([{ method: "PUT", path: "/RESOURCEGROUPS/[^/]+$", nth: 2, answer }]);
  const token = await server.token();
  expect([await put(server, token, "a"), await put(server, token, "b"), await put(server, token, "c")]).toEqual([201, 429, 201]);
  expect(await groupsOf(server.directory)).toEqual(["a", "c", "dns"]);
});

test("the n-th request of the server is counted with tokens, and times applies to as many in a row", async () => {
  const server = await serverWith([{ request: 2, times: 2, answer: { status: 503 } }]);
  const token = await server.token();
  expect([await put(server, token, "a"), await put(server, token, "b"), await put(server, token, "c")]).toEqual([503, 503, 201]);
});

test("a connection reset before the service leaves nothing, one after it leaves the write", async () => {
  const server = await serverWith([
    { method: "PUT", nth: 1, when: "before", reset: true },
    { method: "PUT", nth: 2, when: "after", reset: true },
  ]);
  const token = await server.token();
  expect([await put(server, token, "a"), await put(server, token, "b")]).toEqual(["ECONNRESET", "ECONNRESET"]);
  expect(await groupsOf(server.directory)).toEqual(["b", "dns"]);
});

test("an answer after the service hides a write that took effect", async () => {
  const server = await serverWith([
    { method: "PUT", when: "after", answer: { status: 502, headers: { "content-type": "text/html" }, body: "<html>" } },
  ]);
  expect(await put(server, await server.token(), "a")).toBe(502);
  expect(await groupsOf(server.directory)).toEqual(["a", "dns"]);
});

test("a rule that only delays lets Azure answer", async () => {
  const server = await serverWith([{ method: "PUT", delay: 0.01 }]);
  expect(await put(server, await server.token(), "a")).toBe(201);
});

test.each([
  [{ kill: true, reset: true }, /more than one of answer, reset, hang, kill/],
  [{ method: "PUT" }, /no effect/],
  [{ nth: 1, request: 1, kill: true }, /both nth and request/],
  [{ path: "(", kill: true }, /not a regular expression/],
  [{ kill: true, unknown: 1 }, /unknown/],
])("the rule %j is refused with the reason", (rule, reason) => {
  expect(() => parseFaultRules(JSON.stringify([rule]))).toThrow(reason);
});

/** A process that runs a server in itself, as the CLI does, and creates a group through it. */
const putter = `
import { request } from "node:https";
import { readFileSync } from "node:fs";
import { agentFor, openEmulator, wellKnown } from "./index.js";
const [directory, location] = process.argv.slice(2);
const server = await openEmulator({ directory, environment: process.env });
const { clientId, clientSecret } = JSON.parse(readFileSync(server.credentialsFile, "utf8"));
const agent = agentFor(server);
const call = (host, path, method, headers, body) => new Promise((resolve, reject) => {
  const asked = request({ agent, host, path, method, headers }, (answer) => {
    let text = "";
    answer.on("data", (chunk) => (text += chunk)).on("end", () => resolve(JSON.parse(text)));
  });
  asked.on("error", reject).end(body);
});
const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, scope: "https://management.azure.com/.default" });
const token = await call("login.microsoftonline.com", "/" + wellKnown.tenantId + "/oauth2/v2.0/token", "POST", { "content-type": "application/x-www-form-urlencoded" }, form.toString());
await call("management.azure.com", "/subscriptions/" + wellKnown.subscriptionId + "/resourceGroups/a?api-version=2025-04-01", "PUT",
  { authorization: "Bearer " + token.access_token, "content-type": "application/json" }, JSON.stringify({ location }));
process.stdout.write("answered");
agent.destroy();
await server.close();
`;

test("a kill before the service leaves nothing, one after it leaves the write, and no byte of an answer or refusal is sent", async () => {
  const program = programBeside(putter);
  for (const [when, location, groups] of [
    ["before", "eastus", ["dns"]],
    ["after", "eastus", ["a", "dns"]],
    ["after", "nowhere", ["dns"]],
  ] as const) {
    const directory = temporaryDirectory().path;
    const faults = faultsFile(directory, [{ request: 2, when, kill: true }]);
    const child = spawnSync(process.execPath, [program, directory, location], {
      env: { ...process.env, ARO_HCP_LOCAL_FAULTS: faults },
      encoding: "utf8",
    });
    expect([child.signal, child.stdout, child.stderr]).toEqual(["SIGKILL", "", ""]);
    expect(await groupsOf(directory)).toEqual(groups);
  }
});

/** The end of a command: no output and no work after its failure, and a result that cannot be written is a failure. */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { plainEnvironment, program } from "../../tools/cli-process.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { create, destroy, exits } from "./expectations.js";

test("other requests in flight end with the failed command, and print nothing after its failure", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const denied = { status: 403, body: { error: { code: "AuthorizationFailed", message: "does not have authorization" } } };
  const busy = { status: 503, body: { error: { code: "ServiceUnavailable", message: "busy" } } };
  const faults = [
    { method: "GET", path: "/roleAssignments", times: 99, delay: 1, answer: denied },
    { method: "GET", path: "/subscriptions/[^/]+/resources$", times: 99, answer: busy },
  ];
  const { stderr } = exits(await destroy(azure, [], { faults }), 5);
  expect(stderr.slice(stderr.indexOf("ARO-AUTHZ-001"))).not.toContain("retrying in");
});

test("with --output-events - standard output has only events", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await create(azure, ["--output-events", "-"]), 0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.every((line) => line.startsWith("{"))).toBe(true);
});

test("no variable turns on the logs of packages, which would print text of others and secrets as they are", async () => {
  const azure = await testEmulator();
  const levels = { AZURE_LOG_LEVEL: "verbose", TYPESPEC_RUNTIME_LOG_LEVEL: "verbose", DEBUG: "*" };
  const { stderr } = exits(await azure.spawn(["create", "infra", ...demo, ...demoDomain, "--dry-run"], { env: levels }), 0);
  expect(stderr).toContain("create  resource groups");
  expect(stderr).not.toMatch(/azure:|typeSpecRuntime:|Request:|headers/i);
});

/** Runs with one of the two streams on a full device. */
async function onFullDisk(azure: TestEmulator, full: "stdout" | "stderr", args: readonly string[]) {
  const device = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...plainEnvironment(azure.path(".")), ARO_HCP_LOCAL_DIR: azure.directory },
    stdio: ["ignore", full === "stdout" ? device : "pipe", full === "stderr" ? device : "pipe"],
  });
  closeSync(device);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, text };
}

test.skipIf(process.platform !== "linux")("a result that does not fit on the device is a failure, reported at the end", async () => {
  const azure = await testEmulator();
  for (const args of [["schema"], ["local", "status"], ["create", "infra", ...demo, ...demoDomain]]) {
    const { code, text } = await onFullDisk(azure, "stdout", args);
    expect(code, text).toBe(1);
    expect(text).toContain("ENOSPC");
    expect(text).toContain("ARO-RUN-006");
    expect(text).not.toContain("node:internal");
  }
  exits(await create(azure), 0);
  expect((await azure.traffic()).filter(({ method }) => method === "PUT")).toEqual([]);
});

test.skipIf(process.platform !== "linux")("if only standard error is full, the command completes and prints its result", async () => {
  const azure = await testEmulator();
  const { code, text } = await onFullDisk(azure, "stderr", ["create", "infra", ...demo, ...demoDomain, "-o", "json"]);
  expect(code, text).toBe(0);
  expect(JSON.parse(text)).toMatchObject({ ok: true });
});

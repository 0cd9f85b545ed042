/** `--debug` prints every request but no secret. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { roleFlags } from "../identities/cli/identities.js";
import { testEmulator } from "../harness/test-emulator.js";
import { create, destroy, poll, put, run } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

/** A token, a key, or a parameter of a signed URL. */
const secrets = /eyJ[\w-]{8,}|-----BEGIN|Bearer [\w.-]{16,}|[?&](t|c|s|h|sig)=|client_secret=/;

test("debug prints each request with its outcome in one short line, without secrets, tokens or signed URLs", async () => {
  const azure = await testEmulator();
  const secret = (JSON.parse(await readFile(`${azure.directory}/azure-creds.json`, "utf8")) as { clientSecret: string }).clientSecret;
  const flags = [
    "--debug",
    ...(await roleFlags(azure)),
    "--output-file",
    azure.path("infra.json"),
    "--output-events",
    azure.path("events.ndjson"),
  ];
  const faults = [
    { ...put.vnet, reset: true },
    { ...poll.network, nth: 2, answer: recorded.expiredToken },
  ] as const;
  const { stdout, stderr } = await run(azure, [...create, ...flags], 0, { faults });
  const traffic = await azure.traffic();
  const lines = stderr.split("\n").filter((line) => line.startsWith("debug: "));
  // A lost connection has a debug line, but no response in the record.
  expect(lines).toHaveLength(traffic.length + 1);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1000);
  expect(lines.some((line) => /POST https:\/\/login\.microsoftonline\.com\/\S+\/token 200, \d+ ms/.test(line))).toBe(true);
  expect(lines.some((line) => /PUT \S+virtualNetworks\/\S+ ECONNRESET, \d+ ms/.test(line))).toBe(true);
  expect(lines.some((line) => /PUT \S+virtualNetworks\/\S+ 201, \d+ ms, request \S+, for vnet$/.test(line))).toBe(true);
  expect(lines.some((line) => /GET https:\/\/graph\.microsoft\.com\/.+ 200, \d+ ms, request /.test(line))).toBe(true);

  const written = await Promise.all(["infra.json", "events.ndjson"].map((name) => readFile(azure.path(name), "utf8")));
  for (const text of [stdout, stderr, ...written]) {
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(secrets);
  }
});

test("the stacks and causes of a failure contain no secret", async () => {
  const azure = await testEmulator();
  const secret = (JSON.parse(await readFile(`${azure.directory}/azure-creds.json`, "utf8")) as { clientSecret: string }).clientSecret;
  const broken = { times: 100_000, answer: recorded.anotherOperationInProgress };
  const results = [
    await run(azure, [...create, "--debug", "--output", "json"], 1, { faults: [{ ...put.balancer, ...broken }] }),
    await run(azure, [...destroy, "--debug", "--output", "json"], 1, {
      faults: [{ method: "DELETE", path: "/publicIPAddresses/", ...broken }],
    }),
    await run(azure, [...create, "--debug"], 1, { faults: [{ host: "login.microsoftonline.com", times: 100_000, reset: true }] }),
  ];
  for (const { stdout, stderr } of results) {
    expect(stderr).toContain("caused by");
    expect(stdout + stderr).not.toContain(secret);
    expect(stdout + stderr).not.toMatch(secrets);
  }
});

test("certificates are verified even if the environment turns verification off", async () => {
  const azure = await testEmulator();
  const { stderr } = await run(azure, create, 0, { env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } });
  expect(stderr).toContain("certificates are always verified");
});

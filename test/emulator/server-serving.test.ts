/** A running server: how other commands find it, and when they start their own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectEmulator, joinEmulator, stateSnapshot, resetState, seedState, serve, wellKnown } from "../../src/emulator/index.js";
import { bringCertificates } from "./local-server.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

async function serveForTest(directory: string, environment: Record<string, string> = {}) {
  await bringCertificates(directory);
  const server = await serve({ directory, environment });
  onTestFinished(() => server.close());
  return server;
}

test("the ready line has the addresses of server and proxy, and the environment for clients", async () => {
  const directory = temporaryDirectory().path;
  const { ready, port, proxyPort } = await serveForTest(directory);
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const caFile = join(directory, "ca.pem");
  expect(ready).toMatchObject({
    https: `https://127.0.0.1:${port}`,
    proxy,
    caFile,
    credentialsFile: join(directory, "azure-creds.json"),
    env: { HTTPS_PROXY: proxy, NODE_EXTRA_CA_CERTS: caFile, SSL_CERT_FILE: caFile, REQUESTS_CA_BUNDLE: caFile, CURL_CA_BUNDLE: caFile },
  });
});

test("a command joins the running server, and starts its own when that is stopped", async () => {
  const directory = temporaryDirectory().path;
  const served = await serveForTest(directory, { ARO_HCP_LOCAL_TIME_SCALE: "60" });
  const joined = await connectEmulator(directory, {});
  expect(joined).toMatchObject({ port: served.port, proxyPort: served.proxyPort, ca: served.ca, timeScale: 60 });
  await joined.close();
  expect(await joinEmulator(directory)).toBeDefined();
  await served.close();
  expect(await joinEmulator(directory)).toBeUndefined();
});

test("the serving.json of a killed process is ignored", async () => {
  const directory = temporaryDirectory().path;
  const served = await serveForTest(directory);
  const file = join(directory, "serving.json");
  const serving = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...serving, pid: 1 }));
  expect(await joinEmulator(directory)).toBeUndefined();
  await served.close();
  writeFileSync(file, JSON.stringify(serving));
  expect(await joinEmulator(directory)).toBeUndefined();
});

test("a second serve, and a setting without effect on the running server, are errors", async () => {
  const directory = temporaryDirectory().path;
  await serveForTest(directory, { ARO_HCP_LOCAL_LATENCY: "none" });
  await expect(serve({ directory, environment: {} })).rejects.toThrow(/already serves/);
  await expect(joinEmulator(directory, { ARO_HCP_LOCAL_LATENCY: "recorded" })).rejects.toThrow(/ARO_HCP_LOCAL_LATENCY/);
  expect(await joinEmulator(directory, { ARO_HCP_LOCAL_LATENCY: "none" })).toBeDefined();
});

test("a reset gives a fresh state and keeps the credentials", async () => {
  const directory = temporaryDirectory().path;
  const fresh = await stateSnapshot(directory);
  const credentials = readFileSync(join(directory, "azure-creds.json"), "utf8");
  await seedState(directory, { applications: [{ appId: wellKnown.tenantId, displayName: "more" }] });
  expect(await stateSnapshot(directory)).not.toEqual(fresh);
  resetState(directory);
  expect(await stateSnapshot(directory)).toEqual(fresh);
  expect(readFileSync(join(directory, "azure-creds.json"), "utf8")).toBe(credentials);
});

/** A running server: how other commands find it, and when they start their own. */
import { cli } from "../harness/cli.js";
import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
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
  const { stderr } = await cli(["local", "serve"], { env: { ARO_HCP_LOCAL_DIR: directory } });
  expect(stderr).toMatch(/next +use it: .*`aro-hcp local env`[\s\S]*or stop it: `kill \d+`/);
  await expect(joinEmulator(directory, { ARO_HCP_LOCAL_LATENCY: "recorded" })).rejects.toThrow(/ARO_HCP_LOCAL_LATENCY/);
  expect(await joinEmulator(directory, { ARO_HCP_LOCAL_LATENCY: "none" })).toBeDefined();
});

test("of two serves that start at once, one serves, and the other is an error", async () => {
  const directory = temporaryDirectory().path;
  await bringCertificates(directory);
  // Of a process that was killed: both find it, and either may take it away.
  const left = { pid: 1, port: 1, proxyPort: 1, timeScale: 1, settings: {} };
  writeFileSync(join(directory, "serving.json"), JSON.stringify(left));
  const both = await Promise.allSettled([1, 2].map(() => serve({ directory, environment: {} })));
  const served = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  onTestFinished(async () => void (await Promise.all(served.map((one) => one.close()))));
  expect(served.map(({ port }) => port)).toEqual([(await joinEmulator(directory))?.port]);
  expect(both).toContainEqual({
    status: "rejected",
    reason: expect.objectContaining({ message: expect.stringContaining("already serves") }),
  });
});

test("a server that ends leaves the serving.json of another", async () => {
  const directory = temporaryDirectory().path;
  const served = await serveForTest(directory);
  const file = join(directory, "serving.json");
  const other = JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as object), pid: 1 });
  writeFileSync(file, other);
  await served.close();
  expect(readFileSync(file, "utf8")).toBe(other);
});

const trusted = ["azure-creds.json", "authority.pem", "server.pem", "ca.pem", "serving.json"];

// Only root may give files away.
test.skipIf(process.getuid?.() !== 0).each(trusted)("%s of another user is refused until a reset replaces it", async (name) => {
  const directory = temporaryDirectory().path;
  const served = await serveForTest(directory);
  const serving = readFileSync(join(directory, "serving.json"));
  await served.close();
  if (name === "serving.json") writeFileSync(join(directory, name), serving);
  chownSync(join(directory, name), 12_345, 12_345);
  await expect(serve({ directory, environment: {} })).rejects.toThrow(`${name} belongs to another user`);
  resetState(directory);
  await (await serve({ directory, environment: {} })).close();
});

test.skipIf(process.getuid === undefined)("a directory whose files are of another user is refused", async () => {
  const directory = temporaryDirectory().path;
  await (await serveForTest(directory)).close();
  const other = (process.getuid?.() ?? 0) + 1;
  const asOther = vi.spyOn(process, "getuid").mockReturnValue(other);
  onTestFinished(() => asOther.mockRestore());
  await expect(serve({ directory, environment: {} })).rejects.toThrow("belongs to another user");
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

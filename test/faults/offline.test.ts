/** A machine that cannot reach Azure: every command says so once, with the host and the proxy in effect, after a few tries of the sign-in alone. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/azure/clock.js";
import { cli } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Waits are skipped. */
const clock = { ...systemClock, sleep: () => Promise.resolve() };

/** Runs a command on Azure itself, through a proxy that never connects to it. */
async function throughProxy(proxy: string, command: readonly string[]) {
  for (const name of ["HTTPS_PROXY", "https_proxy"]) vi.stubEnv(name, proxy);
  for (const name of ["NO_PROXY", "no_proxy"]) vi.stubEnv(name, "");
  const creds = join(temporaryDirectory().path, "creds.json");
  const id = "5b5c0000-0000-4000-8000-000000000001";
  const client = { tenantId: id, clientId: id, clientSecret: "not-a-secret", subscriptionId: id };
  await writeFile(creds, JSON.stringify(client), { mode: 0o600 });
  return cli([...command, "--azure-creds", creds], { clock });
}

/** A proxy that answers every CONNECT with the same bytes; counts the connections. */
async function proxy(answer: string): Promise<{ readonly url: string; readonly connections: () => number }> {
  let connections = 0;
  const server: Server = createServer((socket: Socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://user:topsecret@127.0.0.1:${String((server.address() as AddressInfo).port)}`, connections: () => connections };
}

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const cluster = ["--name", "demo", "--infra-id", "demo-x7k2"];

const commands = [
  ["create", "infra", ...cluster, "--base-domain", "hcp.example.com"],
  ["create", "all", ...cluster, "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", "OUT"],
  ["destroy", "infra", ...cluster, "--yes"],
  ["show", "infra", ...cluster],
  ["verify", "infra", ...cluster],
  ["rotate", "credentials", "--name", "demo", "--resource-group-name", "common"],
];

test.each(commands)(
  "%s %s reports a proxy that refuses connections once, with its address, and not as a rejected sign-in",
  async (...words) => {
    const url = `http://127.0.0.1:${String(await closedPort())}`;
    const command = words.map((word) => (word === "OUT" ? join(temporaryDirectory().path, "out") : word));
    const { code, stderr } = await throughProxy(url, command);
    expect(code).toBe(1);
    expect(stderr.match(/error: /g)).toHaveLength(1);
    expect(stderr).toContain("error: sign-in failed  [ARO-NET-001]");
    expect(stderr.replace(/\s+/g, " ")).toContain(
      `login.microsoftonline.com cannot be reached through the proxy ${url}: the connection is refused`,
    );
    expect(stderr).not.toContain("nothing to do");
  },
);

test("the doctor reports it as one finding, and every check that needs the sign-in is skipped", async () => {
  const url = `http://127.0.0.1:${String(await closedPort())}`;
  const { code, stdout } = await throughProxy(url, ["doctor", ...cluster, "--output", "json"]);
  const { results } = JSON.parse(stdout) as { results: { check: string; state: string; evidence: string }[] };
  expect(code).toBe(6);
  expect(results.filter(({ state }) => state === "failed")).toEqual([
    expect.objectContaining({ check: "sign-in", evidence: expect.stringContaining(`through the proxy ${url}`) as string }),
  ]);
});

test.each([
  ["asks for a password", "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "the proxy answered 407 Proxy Authentication Required", 1],
  ["forbids the host", "HTTP/1.1 403 Forbidden\r\ncontent-type: text/html\r\n\r\n<html>", "the proxy answered 403 Forbidden", 1],
  ["cannot connect itself", "HTTP/1.1 502 Bad Gateway\r\n\r\n", "the proxy answered 502 Bad Gateway", 4],
  ["closes the connection", "", "the connection was lost", 4],
])("a proxy that %s is named without its password, after few tries", async (_title, answer, reason, tries) => {
  const { url, connections } = await proxy(answer);
  const { code, stderr } = await throughProxy(url, ["show", "infra", ...cluster]);
  const text = stderr.replace(/\s+/g, " ");
  expect(code).toBe(1);
  expect(text).toContain(`login.microsoftonline.com cannot be reached through the proxy ${url.replace("user:topsecret@", "")}: `);
  expect(text).toContain(reason);
  expect(text).toContain("[ARO-NET-001]");
  expect(stderr).not.toContain("topsecret");
  expect(connections()).toBeLessThanOrEqual(tries);
});

test("a proxy whose name does not resolve is reported as that", async () => {
  const { code, stderr } = await throughProxy("http://proxy.invalid:3128", ["show", "infra", ...cluster]);
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, " ")).toContain("through the proxy http://proxy.invalid:3128: the name does not resolve");
});

test.each([
  ["no URL", "nonsense", "Azure"],
  ["no host", "http://user:topsecret@", "local"],
  ["no scheme", "proxy.example.com:3128", "Azure"],
  ["the scheme of another protocol", "socks5://user:topsecret@127.0.0.1:1080", "Azure"],
])("a proxy variable with %s (%s) is refused by name for %s, without its value", async (_title, value, cloud) => {
  const env = { HTTPS_PROXY: "", https_proxy: value, ALL_PROXY: "http://127.0.0.1:1" };
  const { code, stderr } = await cli(["show", "infra", ...cluster, ...(cloud === "local" ? ["--cloud", "local"] : [])], { env });
  expect(code).toBe(2);
  expect(stderr).toContain("error: https_proxy is not the URL of an HTTP proxy  [ARO-USAGE-001]");
  expect(stderr).toContain("such as http://proxy.example.com:3128");
  expect(stderr).not.toContain("topsecret");
});

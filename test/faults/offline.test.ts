/** A machine that cannot reach Azure: every command says so once, with the host and the proxy in effect, after a few tries of the sign-in alone. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { serve, wellKnown } from "../../src/emulator/index.js";
import { plainEnvironment, runCli } from "../../tools/cli-process.js";
import { bringCertificates, faultsFile } from "../emulator/local-server.js";
import { cli } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Waits between tries are skipped; the wait for a first response, in ticks of 50 ms, takes a tenth of its time. */
const clock: SystemClock = {
  ...systemClock,
  sleep: (ms, signal) => (ms > 50 ? Promise.resolve() : systemClock.sleep(ms / 10, signal)),
};

/** Runs a command on Azure itself, through a proxy that never connects to it. */
async function throughProxy(proxy: string, command: readonly string[]) {
  for (const name of ["HTTPS_PROXY", "https_proxy"]) vi.stubEnv(name, proxy);
  for (const name of ["NO_PROXY", "no_proxy"]) vi.stubEnv(name, "");
  return cli([...command, "--azure-creds", await ownCredentials()], { clock });
}

async function ownCredentials(tenantId = "5b5c0000-0000-4000-8000-000000000001"): Promise<string> {
  const creds = join(temporaryDirectory().path, "creds.json");
  const client = { tenantId, clientId: tenantId, clientSecret: "not-a-secret", subscriptionId: tenantId };
  await writeFile(creds, JSON.stringify(client), { mode: 0o600 });
  return creds;
}

interface Proxy {
  readonly url: string;
  readonly connections: () => number;
}

/** A proxy that calls `connected` for every connection, with the head of the request; counts the connections. */
async function listeningProxy(connected: (socket: Socket, head: string) => void): Promise<Proxy> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", (head: Buffer) => {
      connected(socket, head.toString());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://user:topsecret@127.0.0.1:${String((server.address() as AddressInfo).port)}`, connections: () => sockets.length };
}

/** A proxy that answers every CONNECT with the same bytes. */
function proxy(answer: string): Promise<Proxy> {
  return listeningProxy((socket) => socket.end(answer));
}

const tunnel = "HTTP/1.1 200 Connection established\r\n\r\n";

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

test("a plain HTTP proxy under the URL of an HTTPS proxy is reported as one that does not speak TLS", async () => {
  const { url } = await listeningProxy((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const { code, stderr } = await throughProxy(url.replace("http:", "https:"), ["show", "infra", ...cluster]);
  const { host } = new URL(url);
  const text = stderr.replace(/\s+/g, " ");
  expect(code).toBe(1);
  expect(text).toContain(`login.microsoftonline.com cannot be reached through the proxy https://${host}: the answer is not TLS`);
  expect(text).toContain(`the proxy does not speak TLS; try http://${host}`);
  expect(text).toContain("[ARO-NET-001]");
  expect(stderr).not.toContain("topsecret");
});

test("a proxy that connects to plain text is named", async () => {
  const { url } = await listeningProxy((socket) => {
    socket.write(tunnel);
    socket.once("data", () => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
  });
  const { code, stderr } = await throughProxy(url, ["show", "infra", ...cluster]);
  const text = stderr.replace(/\s+/g, " ");
  expect(code).toBe(1);
  expect(text).toContain(`cannot be reached through the proxy http://${new URL(url).host}: the answer is not TLS`);
  expect(text).not.toContain("does not speak TLS");
});

test("a proxy whose name does not resolve is reported as that", async () => {
  const { code, stderr } = await throughProxy("http://proxy.invalid:3128", ["show", "infra", ...cluster]);
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, " ")).toContain("through the proxy http://proxy.invalid:3128: the name does not resolve");
});

test.each([
  ["never answers", () => undefined, "no response from the proxy within 7 s"],
  ["answers without end", (socket: Socket) => void socket.write("HTTP/1.1 200"), "no response from the proxy within 7 s"],
  ["connects to a host that never answers", (socket: Socket) => void socket.write(tunnel), "no TLS handshake within 7 s"],
])("a proxy that %s is named once, without its password, and not tried again", async (_title, connected, reason) => {
  const { url, connections } = await listeningProxy(connected);
  const { code, stderr } = await throughProxy(url, ["show", "infra", ...cluster]);
  expect(code).toBe(1);
  expect(stderr.match(/error: /g)).toHaveLength(1);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    `login.microsoftonline.com cannot be reached through the proxy ${url.replace("user:topsecret@", "")}: it does not respond (${reason})`,
  );
  expect(stderr).toContain("[ARO-NET-001]");
  expect(stderr).not.toContain("topsecret");
  expect(connections()).toBe(2);
});

/** The emulator, which stands for Azure behind a proxy that connects only with the right password. */
async function azureBehindProxy(password: string, rules: readonly unknown[] = []) {
  const directory = temporaryDirectory().path;
  await bringCertificates(directory);
  const environment = { ARO_HCP_LOCAL_LATENCY: "none", ARO_HCP_LOCAL_FAULTS: faultsFile(directory, rules) };
  const server = await serve({ directory, environment });
  onTestFinished(() => server.close());
  const { url } = await listeningProxy((socket, head) => {
    const [, given = ""] = /^proxy-authorization: Basic (\S+)\r$/im.exec(head) ?? [];
    if (Buffer.from(given, "base64").toString() !== "user:p@ss%") {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const upstream = connect(server.port, "127.0.0.1", () => socket.write(tunnel));
    upstream.on("error", () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  const env = {
    ...plainEnvironment(directory),
    HTTPS_PROXY: url.replace("topsecret", password),
    NODE_EXTRA_CA_CERTS: server.caFile,
  };
  return runCli(["show", "infra", ...cluster, "--azure-creds", server.credentialsFile], env);
}

test("a proxy with a user name and an encoded password is used", async () => {
  const { code, stderr } = await azureBehindProxy("p%40ss%25");
  expect(stderr).toContain("no cluster demo/demo-x7k2 was found");
  expect(code).toBe(2);
});

test("a proxy and a sign-in host that accept everything and never respond are named, not tried again, and do not keep the process", async () => {
  const { url } = await listeningProxy(() => undefined);
  const env = { ...plainEnvironment(temporaryDirectory().path), HTTPS_PROXY: url };
  const runs = await Promise.all([
    runCli(["show", "infra", ...cluster, "--azure-creds", await ownCredentials()], env),
    azureBehindProxy("p%40ss%25", [{ path: "/oauth2/v2.0/token", hang: true }]),
  ]);
  expect(runs.map(({ code }) => code)).toEqual([1, 1]);
  expect(runs.map(({ stderr }) => /does not respond \((.*)\)/.exec(stderr.replace(/\s+/g, " "))?.[1])).toEqual([
    "no response from the proxy within 7 s",
    "connected, but no response within 7 s",
  ]);
});

test("a wrong password of the proxy is reported as that, without the password", async () => {
  const { code, stderr } = await azureBehindProxy("topsecret");
  expect(stderr.replace(/\s+/g, " ")).toMatch(/through the proxy http:\/\/127\.0\.0\.1:\d+: .*407 Proxy Authentication Required/);
  expect(stderr).toContain("the user name and password in HTTPS_PROXY");
  expect(stderr).not.toContain("topsecret");
  expect(code).toBe(1);
});

test.each([
  ["no URL", "nonsense", "Azure", "set it to a URL such as http://proxy.example.com:3128"],
  ["a port that does not exist", "http://user:topsecret@proxy.example.com:99999", "Azure", "correct the port"],
  ["a port that is no number", "http://user:topsecret@proxy.example.com:proxy", "local", "correct the port"],
  ["a # at the end of its password", "http://user:topsecret#@proxy.example.com:3128", "Azure", "encode # as %23"],
  ["a # after digits in its password", "http://user:12#topsecret@proxy.example.com:3128", "Azure", "encode # as %23"],
  ["a / in its password", "http://user:top/secret@proxy.example.com:3128", "local", "encode / as %2F"],
  ["a % at the end of its password", "http://user:topsecret%@proxy.example.com:3128", "Azure", "encode % as %25"],
  ["an encoded @ and a % in its password", "http://user:t@psecret%word@proxy.example.com:3128", "Azure", "encode % as %25"],
  ["no host", "http://user:topsecret@", "local", "correct the host"],
  ["no scheme", "proxy.example.com:3128", "Azure", "set it to a URL such as http://proxy.example.com:3128"],
  ["the scheme of another protocol", "socks5://user:topsecret@127.0.0.1:1080", "Azure", "set it to a URL such as"],
])("a proxy variable with %s (%s) is refused by name for %s, with advice for this fault, without its value", async (...given) => {
  const [, value, cloud, advice] = given;
  const env = { HTTPS_PROXY: "", https_proxy: value, ALL_PROXY: "http://127.0.0.1:1" };
  const { code, stderr } = await cli(["show", "infra", ...cluster, ...(cloud === "local" ? ["--cloud", "local"] : [])], { env });
  expect(code).toBe(2);
  expect(stderr).toContain("error: https_proxy is not the URL of an HTTP proxy  [ARO-USAGE-001]");
  expect(stderr).toContain(`next     ${advice}`);
  expect(stderr).not.toContain("secret");
});

test.each([
  ["variables", { AZURE_TENANT_ID: wellKnown.tenantId }, [], "AZURE_TENANT_ID has the emulator's tenant ID", "unset AZURE_TENANT_ID"],
  ["a file", {}, ["--azure-creds", "CREDS"], "creds.json has the emulator's tenant ID", "pass the --azure-creds file"],
  [
    "variables and a proxy",
    { AZURE_TENANT_ID: wellKnown.tenantId, HTTPS_PROXY: "http://proxy.invalid:3128" },
    [],
    "AZURE_TENANT_ID",
    "unset",
  ],
])(
  "the emulator's credentials in %s are refused for Azure, with the flag that selects the emulator",
  async (_title, env, args, source, advice) => {
    const creds = await ownCredentials(wellKnown.tenantId);
    const given = args.map((arg) => (arg === "CREDS" ? creds : arg));
    const { code, stderr } = await cli(["show", "infra", ...cluster, ...given], {
      env: { AZURE_SUBSCRIPTION_ID: wellKnown.subscriptionId, ...env },
    });
    const text = stderr.replace(/\s+/g, " ");
    expect(code).toBe(2);
    expect(text).toContain("error: these credentials are for the Azure emulator, not for Azure [ARO-USAGE-001]");
    expect(text).toContain(source);
    expect(text).toContain("add --cloud local");
    expect(text).toContain(advice);
  },
);

test("the files of a cluster in the emulator are refused for Azure, with the flag that selects the emulator", async () => {
  const document = temporaryDirectory().write(
    "infra.json",
    JSON.stringify({ infraID: "demo-x7k2", subscriptionID: wellKnown.subscriptionId }),
  );
  const { code, stderr } = await cli(["destroy", "infra", ...cluster, "--infra-file", document, "--yes"]);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain(`${document} has the emulator's subscription ID`);
  expect(stderr).toContain("add --cloud local");
});

test("a directory that does not exist is reported as that, and read-only commands do not continue anything", async () => {
  const missing = await cli(["verify", "infra", "--input-dir", "nodir"]);
  expect(missing.stderr).toContain("--input-dir: nodir does not exist");
  const url = `http://127.0.0.1:${String(await closedPort())}`;
  const { stderr } = await throughProxy(url, ["show", "infra", ...cluster]);
  expect(stderr).toMatch(/rerun the command$/m);
  expect((await throughProxy(url, ["create", "infra", ...cluster, "--base-domain", "a.example.com"])).stderr).toContain(
    "it continues where",
  );
});

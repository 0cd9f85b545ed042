/** Measures the emulator's server as a process: its start, its rate of requests with eight clients, and its memory. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import path from "node:path";
import { createInterface } from "node:readline";
import type { ReadyLine } from "../src/emulator/serving.js";
import { wellKnown } from "../src/emulator/state/well-known.js";
import { plainEnvironment, program } from "./cli-process.js";

/** The best of several runs. Undefined where the system does not tell. */
export interface ServerFigures {
  /** From the start of the process to its ready line. */
  readonly start: { readonly wallMs: number; readonly processorMs: number | undefined };
  readonly gets: Rate;
  readonly puts: Rate;
  readonly memoryMiB: number | undefined;
}

interface Rate {
  readonly perSecond: number;
  /** Of the server, for each request. */
  readonly processorMs: number | undefined;
}

const clients = 8;
const rounds = 5;
const requestsInRound = { PUT: 60, GET: 120 } as const;

/** `root`: of a checkout that is built. */
export async function measureServer(root: string, directory: string, home: string): Promise<ServerFigures> {
  // The first start makes certificates.
  await end((await startServer(root, directory, home)).process);
  const starts: ServerFigures["start"][] = [];
  for (let round = 1; round < rounds; round++) {
    const { process: server, start } = await startServer(root, directory, home);
    starts.push(start);
    await end(server);
  }
  const { process: server, ready, start } = await startServer(root, directory, home);
  try {
    const client = startClient(ready);
    const rate = async (method: keyof typeof requestsInRound): Promise<Rate> => {
      const before = processorMsOf(server);
      const perSecond = await client.rate(method);
      const after = processorMsOf(server);
      const sent = clients * requestsInRound[method];
      return { perSecond, processorMs: before === undefined || after === undefined ? undefined : (after - before) / sent };
    };
    const gets: Rate[] = [];
    const puts: Rate[] = [];
    for (let round = 0; round < rounds; round++) {
      puts.push(await rate("PUT"));
      gets.push(await rate("GET"));
    }
    client.end();
    return { start: bestStart([...starts, start]), gets: bestRate(gets), puts: bestRate(puts), memoryMiB: memoryOf(server) };
  } finally {
    await end(server);
  }
}

function bestStart(starts: readonly ServerFigures["start"][]): ServerFigures["start"] {
  return { wallMs: Math.min(...starts.map(({ wallMs }) => wallMs)), processorMs: least(starts) };
}

function bestRate(rates: readonly Rate[]): Rate {
  return { perSecond: Math.max(...rates.map(({ perSecond }) => perSecond)), processorMs: least(rates) };
}

function least(figures: readonly { readonly processorMs: number | undefined }[]): number | undefined {
  const known = figures.flatMap(({ processorMs }) => processorMs ?? []);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** In hundredths of a second, as Linux counts it. */
function processorMsOf({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${String(pid)}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, in brackets, may contain anything.
  const [user, system] = readFileSync(file, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return 10 * ((user ?? 0) + (system ?? 0));
}

interface Started {
  readonly process: ChildProcess;
  readonly ready: ReadyLine;
  readonly start: ServerFigures["start"];
}

async function startServer(root: string, directory: string, home: string): Promise<Started> {
  const env = { ...plainEnvironment(home), ARO_HCP_LOCAL_DIR: directory, ARO_HCP_LOCAL_LATENCY: "none" };
  const began = performance.now();
  const child = spawn(process.execPath, [path.join(root, program), "local", "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const start = { wallMs: performance.now() - began, processorMs: processorMsOf(child) };
    return { process: child, ready: JSON.parse(line) as ReadyLine, start };
  }
  throw new Error(`the server of ${root} ended before it was ready`);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

function memoryOf({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${String(pid)}/status`;
  const [, kib] = (existsSync(file) && /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(file, "utf8"))) || [];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

interface Client {
  /** Requests a second. */
  rate(method: keyof typeof requestsInRound): Promise<number>;
  end(): void;
}

/** A process of its own: in this one, the clients would cost what is measured. */
function startClient(ready: ReadyLine): Client {
  const child = spawn(process.execPath, [process.argv[1]!, clientArgument, JSON.stringify(ready)], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async rate(method) {
      child.stdin.write(`${method}\n`);
      const next = await lines.next();
      if (next.done === true) throw new Error("the client ended without a result");
      return Number(next.value);
    },
    end: () => child.stdin.end(),
  };
}

export const clientArgument = "--as-client";

type Call = (method: string, host: string, target: string, body: string | undefined, headers: Record<string, string>) => Promise<string>;

/** The client's process: reads methods from standard input, and prints the rate of each. */
export async function runClient(): Promise<void> {
  const { https, caFile, credentialsFile } = JSON.parse(process.argv.at(-1) ?? "") as ReadyLine;
  const agent = new Agent({ keepAlive: true, maxSockets: clients, ca: readFileSync(caFile) });
  const call: Call = (method, host, target, body, headers) =>
    new Promise((resolve, reject) => {
      const options = { agent, host: "127.0.0.1", port: new URL(https).port, servername: host, method, path: target };
      const sent = request({ ...options, headers: { host, ...headers } }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("end", () => {
          if ((answer.statusCode ?? 500) < 300) resolve(text);
          else reject(new Error(`${method} ${target} answered ${String(answer.statusCode)}: ${text}`));
        });
      });
      sent.on("error", reject).end(body);
    });
  const authorization = `Bearer ${await tokenOf(call, credentialsFile)}`;
  const arm = (method: string, target: string, body?: unknown) =>
    call(method, "management.azure.com", target, body === undefined ? undefined : JSON.stringify(body), {
      authorization,
      "content-type": "application/json",
      "accept-encoding": "gzip",
    });
  const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/rates`;
  await arm("PUT", `${group}?api-version=2022-09-01`, { location: "eastus" });
  const target = (client: number): string =>
    `${group}/providers/Microsoft.Network/virtualNetworks/network-${String(client)}?api-version=2024-05-01`;
  const put = (client: number) =>
    arm("PUT", target(client), {
      location: "eastus",
      tags: { run: randomUUID() },
      properties: {
        addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
        subnets: [{ name: "a", properties: { addressPrefix: "10.0.0.0/24" } }],
      },
    });
  const get = (client: number) => arm("GET", target(client));
  for await (const method of createInterface({ input: process.stdin })) {
    const began = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let sent = 0; sent < requestsInRound[method as "GET"]; sent++) await (method === "PUT" ? put : get)(client);
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`${String((clients * requestsInRound[method as "GET"]) / seconds)}\n`);
  }
  agent.destroy();
}

async function tokenOf(call: Call, credentialsFile: string): Promise<string> {
  const { tenantId, clientId, clientSecret } = JSON.parse(readFileSync(credentialsFile, "utf8")) as Record<string, string>;
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId ?? "",
    client_secret: clientSecret ?? "",
    scope: "https://management.azure.com/.default",
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const text = await call("POST", "login.microsoftonline.com", `/${tenantId ?? ""}/oauth2/v2.0/token`, form.toString(), headers);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

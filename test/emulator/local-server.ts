/** A server on a state of its own for one test, and plain HTTPS requests to it. */
import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { EmulatorClock } from "../../src/emulator/common/clock.js";
import { agentFor, openEmulator, wellKnown, type Emulator } from "../../src/emulator/index.js";
import type { EmulatorRandom } from "../../src/emulator/common/random.js";
import { madeCertificates } from "../harness/made-certificates.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed if it is JSON. */
  readonly body: unknown;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, an object as JSON. */
  readonly body?: string | object;
  readonly token?: string;
}

export interface LocalServer extends Emulator {
  readonly directory: string;
  /** `target` is the raw path and query. */
  call(host: string, target: string, sent?: Sent): Promise<Reply>;
  /** A token for the client of azure-creds.json. */
  token(resource?: string): Promise<string>;
}

/** The environment of a server whose traffic must pass Azure's own API descriptions: recorded if the checks ask for it. */
export function recording(): Record<string, string> {
  const folder = process.env["ARO_HCP_TEST_RECORD"];
  return folder === undefined ? {} : { ARO_HCP_LOCAL_RECORD: join(folder, `${randomUUID()}.ndjson`) };
}

/** Fault rules in a file, as ARO_HCP_LOCAL_FAULTS expects them. */
export function faultsFile(directory: string, rules: unknown): string {
  const file = join(directory, "faults.json");
  writeFileSync(file, JSON.stringify(rules));
  return file;
}

const certificateFiles = ["authority.pem", "server.pem", "ca.pem"];

export async function bringCertificates(directory: string): Promise<void> {
  const made = await madeCertificates();
  if (certificateFiles.some((file) => existsSync(join(directory, file)))) return;
  for (const file of certificateFiles) copyFileSync(join(made, file), join(directory, file));
}

export async function openLocalServer(
  options: {
    directory?: string;
    environment?: Record<string, string>;
    proxy?: boolean;
    proxyAddress?: string;
    clock?: EmulatorClock;
    random?: EmulatorRandom;
  } = {},
): Promise<LocalServer> {
  const directory = options.directory ?? temporaryDirectory().path;
  await bringCertificates(directory);
  const server = await openEmulator({ environment: {}, ...options, directory });
  onTestFinished(() => server.close());
  const call = callThrough(server);
  const token = async (resource = "https://management.azure.com"): Promise<string> => {
    const reply = await call(
      "login.microsoftonline.com",
      `/${wellKnown.tenantId}/oauth2/v2.0/token`,
      tokenRequest(server, { scope: `${resource}/.default` }),
    );
    return (reply.body as { access_token: string }).access_token;
  };
  return { ...server, directory, call, token };
}

/** Requests to a server, of any process. */
export function callThrough(server: Pick<Emulator, "port" | "ca">): LocalServer["call"] {
  const agent = agentFor(server);
  onTestFinished(() => agent.destroy());
  return (host, target, sent = {}) =>
    new Promise((resolve, reject) => {
      const text = sent.body === undefined ? undefined : typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body);
      const headers: Record<string, string> = { host, ...sent.headers };
      if (typeof sent.body === "object") headers["content-type"] ??= "application/json";
      if (sent.token !== undefined) headers["authorization"] = `Bearer ${sent.token}`;
      const asked = request({ agent, host, path: target, method: sent.method ?? "GET", headers }, (answer) => {
        let received = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parse(received) }));
      });
      asked.on("error", reject);
      asked.end(text);
    });
}

/** The form of a token request with the secret of azure-creds.json; `changes` replaces fields, undefined omits one. */
export function tokenRequest(server: Emulator, changes: Record<string, string | undefined>): Sent {
  const { clientId, clientSecret } = JSON.parse(readFileSync(server.credentialsFile, "utf8")) as { clientId: string; clientSecret: string };
  const fields = {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope: "https://management.azure.com/.default",
    ...changes,
  };
  const form = new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return { method: "POST", body: form.toString(), headers: { "content-type": "application/x-www-form-urlencoded" } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The clients of Azure, each with one read, and an emulator that falsifies the answers to it, as a proxy would. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Azure } from "../../src/azure/azure.js";
import { all } from "../../src/azure/pages.js";
import { toFailure } from "../../src/azure/to-failure.js";
import { wellKnown } from "../../src/emulator/index.js";
import { keySetPath } from "../../src/oidc/documents.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { healthyState } from "../verify/healthy-state.js";
import { demoAccount, demoIssuer } from "../harness/demo-issuer.js";

const keys = `${demoIssuer}/${keySetPath}`;
export const html = { status: 200, headers: { "content-type": "text/html" }, body: "<html>please sign in to this network</html>" };
export const ok = (body?: unknown) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  ...(body !== undefined && { body }),
});

export interface Client {
  /** The request, for a fault rule. */
  readonly request: { readonly method: string; readonly host?: string; readonly path: string };
  /** Returns what the client read, as text. */
  readonly read: (azure: Azure, vault: string) => Promise<unknown>;
}

export const groups = { method: "GET", path: "^/subscriptions/[^/]+/resourcegroups$" };
export const clients: Readonly<Record<string, Client>> = {
  "a list of Resource Manager": { request: groups, read: async (azure) => all((await azure.resources()).resourceGroups.list()) },
  "a list by path": {
    request: { method: "GET", path: "^/subscriptions/[^/]+/providers$" },
    read: async (azure) => (await azure.manager()).list(`/subscriptions/${wellKnown.subscriptionId}/providers`, "2021-04-01", z.unknown()),
  },
  "an object of Resource Manager": {
    request: { method: "GET", path: "/resourcegroups/dns$" },
    read: async (azure) => (await azure.resources()).resourceGroups.get("dns"),
  },
  "an object of another SDK": {
    request: { method: "GET", path: `/storageAccounts/${demoAccount}$` },
    read: async (azure) => (await azure.storage()).storageAccounts.getProperties(await groupOf(azure, demoAccount), demoAccount),
  },
  "a list of the directory": {
    request: { method: "GET", host: "graph.microsoft.com", path: "/servicePrincipals$" },
    read: async (azure) => (await azure.directory()).servicePrincipals([wellKnown.clientId]),
  },
  "an object of the directory": {
    request: { method: "GET", host: "graph.microsoft.com", path: "/servicePrincipals\\(" },
    read: async (azure) => (await azure.directory()).servicePrincipalOf(wellKnown.clientId),
  },
  "a list of a vault": {
    request: { method: "GET", path: "^/secrets$" },
    read: async (azure, vault) => (await all((await azure.vaultContent(vault)).secrets.listPropertiesOfSecrets())).map(({ id }) => id),
  },
  "a secret": {
    request: { method: "GET", path: "^/secrets/[^/]+$" },
    read: async (azure, vault) => {
      const { secrets } = await azure.vaultContent(vault);
      const [first] = await all(secrets.listPropertiesOfSecrets());
      return (await secrets.getSecret(first?.name ?? "")).value;
    },
  },
  "a blob": { request: { method: "GET", path: `^/demo/${keySetPath}$` }, read: async (azure) => (await azure.blobs()).read(keys) },
  "a public document": {
    request: { method: "GET", path: `^/demo/${keySetPath}$` },
    read: async (azure) => (await azure.published(keys)).body,
  },
};

async function groupOf(azure: Azure, account: string): Promise<string> {
  const found = (await all((await azure.storage()).storageAccounts.list())).find(({ name }) => name === account);
  return found?.id?.split("/")[4] ?? "";
}

/** The client of this name. */
export function client(name: string): Client {
  const found = clients[name];
  if (!found) throw new Error(`no client ${name}`);
  return found;
}

export interface Opened {
  readonly azure: Azure;
  readonly vault: string;
  /** Method and URL of each request so far. */
  requests(): { readonly method: string; readonly url: string }[];
}

export async function opened(faults: readonly object[]): Promise<Opened> {
  const { path: folder } = temporaryDirectory();
  const record = join(folder, "record.ndjson");
  await writeFile(join(folder, "faults.json"), JSON.stringify(faults));
  const { azure, vault } = await healthyState({
    ARO_HCP_LOCAL_FAULTS: join(folder, "faults.json"),
    ARO_HCP_LOCAL_RECORD: record,
    ARO_HCP_LOCAL_TIME_SCALE: "1000",
  });
  const requests = () =>
    readFileSync(record, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { method: string; url: string });
  return { azure, vault, requests };
}

const text = (value: unknown): string => JSON.stringify(value);

/** The code of the failure, or what was read. */
export async function outcome(read: Promise<unknown>): Promise<string> {
  try {
    return text(await read);
  } catch (error) {
    return toFailure(error, "it").code;
  }
}

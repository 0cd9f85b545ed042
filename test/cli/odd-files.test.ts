/** Every input of every command is a pipe, a device or a directory: refused before a request, with exit code 2. test/files/input-file.test.ts has more kinds. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";
import { combined } from "../identities/cli/identities.js";

const create = ["create", "infra", ...demo, ...demoDomain, "--yes"];
const roles = ["--assign-identity-roles", "--dns-zone-rg-name", "dns"];
const issuer = ["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--yes"];
/** With the SDK's credential chain. */
const inAzure = create.slice(0, 2).concat(create.slice(4));
const client = {
  AZURE_SUBSCRIPTION_ID: "11111111-1111-4111-8111-111111111111",
  AZURE_TENANT_ID: "22222222-2222-4222-8222-222222222222",
  AZURE_CLIENT_ID: "00000000-0000-4000-8000-000000000101",
};
const verify = ["verify", "identities", "--cloud", "local"];
const render = ["render", "hosted-cluster", "--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"];
const issuerUrl = ["--oidc-issuer-url", "https://issuer.example.com/demo"];
const set = ["--name", "demo", "--persistent-resource-group-name", "common", "--oidc-issuer-url", "https://issuer.example.com/demo"];
const install = ["render", "hypershift-install", "--key-vault-user-client-id", "1f0e0000-0000-4000-8000-00000000000a"];

interface Input {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** 2 if absent. */
  readonly code?: number;
}

/** `@odd` is the path of the odd file; `@dir` is a directory that contains it under the name that comes after it. */
const inputs: readonly Input[] = [
  { args: [...create, "--azure-creds", "@odd"] },
  { args: [...create, "--config", "@odd"] },
  { args: create, env: { ARO_HCP_CONFIG: "@odd" } },
  { args: [...create, ...roles, "--managed-identities-file", "@odd", "--data-plane-identities-file", "@ids"] },
  { args: [...create, ...roles, "--managed-identities-file", "@ids", "--data-plane-identities-file", "@odd"] },
  { args: [...create, ...roles, "--workload-identities-file", "@odd"] },
  { args: ["destroy", "infra", "--cloud", "local", "--infra-file", "@odd", "--yes"] },
  { args: ["verify", "infra", "--cloud", "local", "--infra-file", "@odd"] },
  { args: ["verify", "infra", "--cloud", "local", "--input-dir", "@dir/infra.json"] },
  { args: [...issuer, "--public-key-file", "@odd"] },
  { args: [...issuer, "--output-dir", "@dir/serviceaccount-signer.public"] },
  { args: ["create", "key-pair", "--output-dir", "@dir/serviceaccount-signer.private"] },
  // A finding, as for any other identity file.
  { args: [...verify, "--managed-identities-file", "@odd"], code: 6 },
  { args: [...verify, "--managed-identities-file", "@ids", "--infra-file", "@odd"] },
  { args: [...verify, "--managed-identities-file", "@ids", "--kubeconfig", "@odd"] },
  { args: [...verify, "--input-dir", "@dir/identities.json"], code: 6 },
  {
    args: [...render, "--infra-file", "@odd", "--managed-identities-file", "@ids", ...issuerUrl],
  },
  { args: ["create", "identities", "--cloud", "local", ...set, "--management-cluster-file", "@odd"] },
  { args: [...verify, "--managed-identities-file", "@ids", "--management-cluster-file", "@odd"] },
  { args: ["graph", "management-cluster", "--flow", "--management-cluster-file", "@odd"] },
  { args: [...install, "--pull-secret", "@odd"] },
  { args: [...install, "--external-dns-credentials", "@odd", "--external-dns-domain-filter", "a.example.com"] },
  { args: [...install, "--output-dir", "@dir/hypershift-install.sh"] },
  { args: [...install, "--output-dir", "@dir/pull-secret.json"] },
  { args: ["create", "management-cluster", "--cloud", "local", "--name", "mgmt", "--yes", "--output-kubeconfig", "@odd"] },
  { args: ["create", "management-cluster", "--cloud", "local", "--name", "mgmt", "--yes", "--output-file", "@odd"] },
  { args: ["local", "seed", "@odd"] },
  { args: create, env: { ARO_HCP_LOCAL_FAULTS: "@odd" } },
  { args: create, env: { ARO_HCP_LOCAL_RECORD: "@odd" } },
  { args: inAzure, env: { ...client, AZURE_FEDERATED_TOKEN_FILE: "@odd" } },
  { args: inAzure, env: { ...client, AZURE_CLIENT_CERTIFICATE_PATH: "@odd" } },
  { args: inAzure, env: { ...client, AZURE_CLIENT_CERTIFICATE_PATH: "@odd", AZURE_FEDERATED_TOKEN_FILE: "@ids" } },
  { args: [...create, "--output-file", "@odd"] },
];

const kinds: readonly (readonly [kind: string, make: (path: string) => void])[] = [
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a device", (path) => symlinkSync("/dev/zero", path)],
  ["a directory", (path) => mkdirSync(path)],
];

const shared = testEmulator({ atEnd: afterAll });
const titled = inputs.map((input) => [[...Object.keys(input.env ?? {}), ...input.args].join(" "), input] as const);

test.skipIf(process.platform === "win32").each(titled)("%s", async (_title, { args, env = {}, code = 2 }) => {
  const azure = await shared;
  writeFileSync(azure.path("ids"), JSON.stringify(combined));
  for (const [kind, make] of kinds) {
    rmSync(azure.path("odd"), { recursive: true, force: true });
    rmSync(azure.path("dir"), { recursive: true, force: true });
    const inDirectory = args.map((arg) => /^@dir\/(.*)$/.exec(arg)?.[1]).find((name) => name !== undefined);
    if (inDirectory !== undefined) mkdirSync(azure.path("dir"));
    const path = inDirectory === undefined ? azure.path("odd") : join(azure.path("dir"), inDirectory);
    make(path);
    const given = (text: string): string =>
      text.replace(/^@dir\/.*$/, azure.path("dir")).replace(/^@(\w+)$/, (_, name: string) => azure.path(name));
    const values = Object.fromEntries(Object.entries(env).map(([variable, value]) => [variable, given(value)]));
    const { stdout, stderr } = exits(await azure.cli(args.map(given), { env: values }), code);
    const flat = `${stdout} ${stderr}`.replace(/\s+/g, " ");
    expect(flat, kind).toMatch(/(is|not) (a (pipe|device|regular file)|a directory)/);
  }
  const traffic = (await azure.traffic()).map(({ method, url }) => `${method} ${url}`);
  if (code === 2) expect(traffic).toEqual([]);
});

/** The subscription of az: a written profile of az, and commands that az signs in, as real processes on the emulator. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/emulator/common/clock.js";
import { wellKnown } from "../../src/emulator/index.js";
import { azSubscription } from "../../src/run/az-subscription.js";
import { cli } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";

const { subscriptionId: id, tenantId } = wellKnown;
const selected = { id, tenantId, name: "Emulator", state: "Enabled", isDefault: true, environmentName: "AzureCloud" };
const other = { ...selected, id: "00000000-0000-4000-8000-000000000009", isDefault: false };

/** As az writes it. */
const profileText = (...subscriptions: object[]) => `\ufeff${JSON.stringify({ installationId: "i", subscriptions })}`;

async function read(
  text: string,
  environment: Record<string, string> = {},
  cloud: "AzurePublicCloud" | "AzureChinaCloud" | "local" = "AzurePublicCloud",
) {
  const folder = temporaryDirectory();
  folder.write("azureProfile.json", text);
  return (await azSubscription(cloud, { environment: { AZURE_CONFIG_DIR: folder.path, ...environment }, homeDirectory: "/nonexistent" }))
    ?.id;
}

test("the enabled default subscription of the cloud is read, past a byte order mark and entries of no use", async () => {
  expect(await read(profileText(other, { id: 7 }, selected))).toBe(id);
  expect(await read(profileText({ ...selected, environmentName: "AzureChinaCloud", id: other.id }, selected))).toBe(id);
  expect(await read(profileText(selected), { AZURE_TENANT_ID: tenantId, AZURE_TOKEN_CREDENTIALS: "AzureCliCredential" })).toBe(id);
});

test("without AZURE_CONFIG_DIR, the profile is in the home directory", async () => {
  const folder = temporaryDirectory();
  await mkdir(join(folder.path, ".azure"));
  folder.write(".azure/azureProfile.json", profileText(selected));
  expect(await azSubscription("AzurePublicCloud", { environment: {}, homeDirectory: folder.path })).toMatchObject({ id, tenantId });
});

test.each([
  ["no selected one", profileText(other)],
  ["a disabled one", profileText({ ...selected, state: "Disabled" })],
  ["an account of a tenant alone", profileText({ ...selected, id: tenantId })],
  ["no JSON", "{"],
  ["another document", "[]"],
])("%s is none", async (_title, text) => {
  expect(await read(text)).toBeUndefined();
});

test.each([
  "AZURE_CLIENT_ID",
  "AZURE_FEDERATED_TOKEN_FILE",
  "IDENTITY_ENDPOINT",
  "MSI_ENDPOINT",
  "AZURE_POD_IDENTITY_AUTHORITY_HOST",
  "AZURE_TENANT_ID",
  "AZURE_TOKEN_CREDENTIALS",
])("where %s selects another sign-in, az's is none", async (variable) => {
  expect(await read(profileText(selected), { [variable]: "other" })).toBeUndefined();
});

test("another cloud than az's has none, nor has the emulator", async () => {
  expect(await read(profileText(selected), {}, "AzureChinaCloud")).toBeUndefined();
  expect(await read(profileText(selected), {}, "local")).toBeUndefined();
});

/** What the SDK runs: az account get-access-token with a resource, and a tenant if it knows one. */
const azProgram = (credentialsFile: string) => `#!${process.execPath}
const { ClientSecretCredential } = require(${JSON.stringify(createRequire(import.meta.url).resolve("@azure/identity"))});
const { tenantId, clientId, clientSecret } = require(${JSON.stringify(credentialsFile)});
const args = process.argv.join(" ");
const [, resource] = /--resource (\\S+)/.exec(args);
new ClientSecretCredential(tenantId, clientId, clientSecret, { disableInstanceDiscovery: true }).getToken(resource.replace(/\\/?$/, "/.default"))
  .then(({ token, expiresOnTimestamp }) => console.log(JSON.stringify({ accessToken: token, expires_on: Math.floor(expiresOnTimestamp / 1000), tenant: tenantId, tokenType: "Bearer" })));
`;

test.skipIf(process.platform === "win32")(
  "a create plans in the subscription of az and says so; a destroy without a terminal refuses it",
  async () => {
    const azure = await testEmulator();
    const { ready } = await azure.serve(systemClock);
    await mkdir(azure.path("bin"));
    await writeFile(azure.path("bin/az"), azProgram(ready.credentialsFile));
    await chmod(azure.path("bin/az"), 0o755);
    await mkdir(azure.path(".azure"));
    await writeFile(azure.path(".azure/azureProfile.json"), profileText(other, selected));
    const path = [azure.path("bin"), process.env["PATH"]].join(delimiter);
    const env = { ...ready.env, PATH: path, AZURE_CONFIG_DIR: azure.path(".azure"), AZURE_TOKEN_CREDENTIALS: "AzureCliCredential" };
    const flags = [...demo, ...demoDomain].filter((flag, nth, all) => flag !== "--cloud" && all[nth - 1] !== "--cloud");

    const planned = await azure.spawn(["create", "infra", ...flags, "--location", "eastus", "--dry-run"], { env });
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stderr.replaceAll(/\s+/g, " ")).toContain(`(${id}), from az tenant ${tenantId}`);

    const refused = await azure.spawn(["destroy", "infra", ...flags.slice(0, 4), "--yes"], { env });
    expect(refused.code).toBe(2);
    const text = refused.stderr.replaceAll(/\s+/g, " ");
    expect(text).toContain("no subscription specified");
    expect(text).toContain("az account show --query id --output tsv");
    expect(text).toContain("az login");

    // Nobody is asked on a terminal either.
    const unasked = await cli(["destroy", "infra", ...flags.slice(0, 4), "--yes"], { env: { ...env, HOME: azure.directory }, tty: true });
    expect(unasked.code).toBe(2);
    expect(unasked.stderr.replaceAll(/\s+/g, " ")).toContain("or with --yes, a change of what exists does not use the subscription");
  },
);

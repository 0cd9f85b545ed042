/** `show settings`: the value of each setting of a command, and its origin. */
import { expect, test } from "vitest";
import { demo, demoDomain, testEmulator, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";
import { create, exits, writesSince } from "./expectations.js";
import { fileOf } from "../identities/cli/identities.js";

interface Shown {
  readonly of: string;
  readonly record: string;
  readonly settings: readonly { readonly key: string; readonly value?: unknown; readonly source: string; readonly origin?: string }[];
}

async function shown(azure: TestEmulator, args: readonly string[], options?: CliOptions) {
  const { stdout, stderr } = exits(await azure.cli(["show", "settings", ...args, "--output", "json"], options), 0);
  const { settings, record, of } = JSON.parse(stdout) as Shown;
  const found = Object.fromEntries(
    settings.map(({ key, value, source, origin }) => [key, [value, source, origin].filter((one) => one !== undefined)]),
  );
  return { found, record, of, stderr };
}

test("each setting has its value and its origin: flag, variable, file, record, default", async () => {
  const azure = await testEmulator();
  exits(await create(azure, ["--vnet-cidr", "10.8.0.0/16", "--subnet-cidr", "10.8.1.0/24", "--resource-group-tags", "team=a"]), 0);
  await azure.traffic();
  const config = await fileOf(azure, "aro.yaml", "baseDomain: hcp.example.com\ntimeout: 2h\ncreate infra: { timeout: 90m }\n");
  const options = { env: { ARO_HCP_CONCURRENCY: "8" } };
  const { found, record, of } = await shown(azure, ["create", "infra", ...demo, "--config", config], options);
  expect([of, record]).toEqual(["create infra", "read"]);
  expect(found).toMatchObject({
    cloud: ["local", "flag", "--cloud"],
    infraId: ["demo-x7k2", "flag", "--infra-id"],
    concurrency: [8, "variable", "ARO_HCP_CONCURRENCY"],
    baseDomain: ["hcp.example.com", "config-file", expect.stringMatching(/aro\.yaml:1$/)],
    timeout: ["90m", "config-file", expect.stringMatching(/aro\.yaml:3$/)],
    vnetCidr: ["10.8.0.0/16", "record", "existing --vnet-cidr"],
    output: ["json", "flag", "--output"],
    egress: ["load-balancer", "record", "existing --egress"],
    // What exists shows that there is none.
    publicIpPrefixId: ["none"],
    vnetId: ["none"],
    yes: ["none"],
  });
  expect(await writesSince(azure)).toEqual([]);
});

test("as text, what is set is a table, and the rest one line", async () => {
  const azure = await testEmulator();
  const infra = ["show", "settings", "create", "infra", ...demo, ...demoDomain];
  const { stdout, stderr } = exits(await azure.cli([...infra, "--assign-custom-hcp-roles"]), 2);
  expect(stdout).toBe("");
  expect(stderr).toContain("requires --dns-zone-rg-name");
  const text = exits(await azure.cli([...infra, "--timeout", "90s"]), 0).stdout;
  expect(text).toMatch(/^SETTING +VALUE +FROM\n/);
  expect(text).toMatch(/\ninfraId +demo-x7k2 +--infra-id\n/);
  expect(text).toMatch(/\ntimeout +90s +--timeout\n/);
  expect(text).toMatch(/\nlocation +eastus +default\n/);
  expect(text).toMatch(/\nnot set: .*\bvnetId\b/);
});

test("a command without a record sends no request, and one that cannot reach Azure shows the others", async () => {
  const azure = await testEmulator();
  const set = ["show", "identities", "--cloud", "local", "--name", "demo", "--resource-group-name", "common"];
  expect((await shown(azure, set)).record).toBe("none");
  expect(await azure.traffic()).toEqual([]);
  const unauthorized = { status: 401, body: { error: "invalid_client", error_description: "AADSTS7000215: Invalid client secret." } };
  const faults = [{ method: "POST", path: "/oauth2/v2.0/token", answer: unauthorized, times: 99 }];
  const { record, found, stderr } = await shown(azure, ["show", "infra", ...demo], { faults });
  expect(record).toBe("unread");
  expect(found["name"]).toEqual(["demo", "flag", "--name"]);
  expect(stderr).toMatch(/notice: the record of the cluster was not read: .*\[ARO-/);
});

test("an AKS cluster has its record too, and its settings may be incomplete without it", async () => {
  const azure = await testEmulator();
  const { record, found } = await shown(azure, ["show", "management-cluster", "--cloud", "local", "--name", "mgmt"]);
  expect(record).toBe("absent");
  expect(found["preset"]?.[1]).toBe("default");
});

test("a mistyped command, a missing one, and a flag of another command are explained", async () => {
  const azure = await testEmulator();
  expect(exits(await azure.cli(["show", "settings", "create", "infrs"]), 2).stderr).toContain('did you mean "create infra"?');
  expect(exits(await azure.cli(["show", "settings"]), 2).stderr).toMatch(/<command> +is required/);
  expect(exits(await azure.cli(["show", "settings", "create", "infra", "--purge"]), 2).stderr).toMatch(
    /--purge +is not an option of create infra; destroy identities, .* take it/,
  );
});

test("a setting that is missing is shown as missing, with how to give it", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await azure.cli(["show", "settings", "create", "all", "--name", "demo"]), 0);
  expect(stdout).toMatch(/\ninfraId +missing +pass --infra-id, or set ARO_HCP_INFRA_ID, or infraId in a --config file\n/);
  const { found, record } = await shown(azure, ["create", "all", "--name", "demo"]);
  const missing = Object.entries(found).flatMap(([key, [source]]) => (source === "missing" ? [key] : []));
  expect(missing).toEqual(["infraId", "baseDomain", "location", "dnsZoneRgName", "outputDir"]);
  expect([record, found["name"]]).toEqual(["none", ["demo", "flag", "--name"]]);
  expect((await shown(azure, ["create", "all", "--cloud", "local"])).found["location"]).toEqual(["eastus", "default"]);
});

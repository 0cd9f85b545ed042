import path from "node:path";
import { afterAll, describe, expect, expectTypeOf, test } from "vitest";
import { settingVariables } from "../../src/emulator/core/local-settings.js";
import { emulatorVariables } from "../../src/settings/variables.js";
import type { CreateInfraSettings, DestroyInfraSettings } from "../../src/settings/settings.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { create, problemsOf, required, resolve } from "./resolving.js";

const directory = temporaryDirectory(afterAll);
const config = (text: string): string => directory.write("cluster.yaml", text);

describe("the source of a value", () => {
  test("flags override variables, files and defaults in this order, and each value has its source", async () => {
    const file = config("name: from-file\nlocation: westeurope\nvnetCidr: 10.1.0.0/16\nsubnetCidr: 10.1.2.0/24\n");
    const { settings, origins } = await resolve(
      "create infra",
      { ...required, name: undefined, location: "northeurope", config: file },
      { ARO_HCP_LOCATION: "uksouth", ARO_HCP_VNET_CIDR: "10.1.0.0/17" },
    );
    expect(settings).toMatchObject({ location: "northeurope", vnetCidr: "10.1.0.0/17", name: "from-file", naming: "documented" });
    expect(origins).toMatchObject({
      location: { source: "flag", label: "--location" },
      vnetCidr: { source: "environment", label: "ARO_HCP_VNET_CIDR" },
      name: { source: "file", label: `${file}:1` },
      naming: { source: "default", label: "default" },
    });
  });

  test("a value of the wrong type in a file is not also reported as missing", async () => {
    const file = config("name: [demo]\ninfraId: 7\n");
    expect(await problemsOf(resolve("destroy infra", { config: file }))).toEqual([
      { origin: `${file}:1`, message: "expected text, got a list" },
      { origin: `${file}:2`, message: "expected text, got a number; put it in quotes" },
    ]);
  });

  test("an empty path of the file is the only problem", async () => {
    expect(await problemsOf(resolve("destroy infra", { config: "" }))).toEqual([{ origin: "--config", message: "is empty" }]);
    expect(await problemsOf(resolve("create infra", { config: "" }))).toEqual([{ origin: "--config", message: "is empty" }]);
  });

  test("an empty variable is unset", async () => {
    expect((await create({}, { ARO_HCP_LOCATION: "" })).settings.location).toBe("eastus");
  });

  test("AZURE_SUBSCRIPTION_ID is not a setting: files that are read later override it", async () => {
    const [ours, theirs] = ["11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"];
    expect((await create({}, { AZURE_SUBSCRIPTION_ID: theirs })).settings.subscription).toBeUndefined();
    expect((await create({}, { AZURE_SUBSCRIPTION_ID: theirs, ARO_HCP_SUBSCRIPTION: ours })).settings.subscription).toBe(ours);
  });

  test("the configuration file can be set by a variable, and can be JSON", async () => {
    const file = config(
      JSON.stringify({ location: "westeurope", resourceGroupTags: { team: "a,b" }, assignIdentityRoles: false, concurrency: 4 }),
    );
    const { settings } = await create({}, { ARO_HCP_CONFIG: file });
    expect(settings).toMatchObject({ location: "westeurope", resourceGroupTags: { team: "a,b" }, concurrency: 4 });
  });

  test("one file serves several commands: keys of the others are ignored", async () => {
    const file = config("name: demo\ninfraId: demo-x7k2\nbaseDomain: hcp.example.com\npreserveResourceGroup: true\n");
    expect((await resolve("create infra", { config: file })).settings).not.toHaveProperty("preserveResourceGroup");
    expect((await resolve("destroy infra", { config: file })).settings.preserveResourceGroup).toBe(true);
  });
});

describe("all problems are reported together, each with its source", () => {
  test("for flags, variables, lines of the file and missing settings", async () => {
    const file = config("concurrency: many\n");
    const problems = await problemsOf(
      resolve("create infra", { config: file, name: "Demo", output: "jsn" }, { ARO_HCP_TIMEOUT: "soon", ARO_HCP_DRY_RUN: "maybe" }),
    );
    expect(problems).toEqual([
      { origin: "--infra-id", message: "is required; you can also set ARO_HCP_INFRA_ID, or infraId in a --config file" },
      { origin: "--base-domain", message: "is required; you can also set ARO_HCP_BASE_DOMAIN, or baseDomain in a --config file" },
      { origin: "ARO_HCP_DRY_RUN", message: '"maybe" is not true or false' },
      { origin: "--output", message: `"jsn" is not one of ${["text", "json"].join(", ")}; did you mean "json"?` },
      { origin: "ARO_HCP_TIMEOUT", message: '"soon" is not a duration such as 90s, 45m or 1h30m' },
      { origin: `${file}:1`, message: '"many" is not a whole number' },
      { origin: "--location", message: "is required; you can also set ARO_HCP_LOCATION, or location in a --config file" },
      { origin: "--name", message: '"Demo" must have 1 to 63 lowercase letters, digits and inner hyphens' },
    ]);
  });

  test("a configuration file that cannot be read does not hide the other problems", async () => {
    const problems = await problemsOf(create({ config: path.join(directory.path, "absent.yaml"), location: "East US" }));
    expect(problems).toEqual([
      { origin: "--config", message: expect.stringContaining("ENOENT") as string },
      { origin: "--location", message: '"East US" is not the name of an Azure location; did you mean "eastus"?' },
    ]);
  });

  test.each([
    ["a file that does not exist", undefined, {}, "ENOENT"],
    ["a file that is not YAML", "name: [\n", {}, "is not well-formed"],
    ["a file that is a list", "- a\n", {}, "must be a mapping of settings"],
    ["a file with an unknown key", "infraID: demo-x7k2\n", {}, '"infraID" is not a setting; did you mean "infraId"?'],
    ["a variable that does not exist", "location: eastus\n", { ARO_HCP_INFRAID: "demo-x7k2" }, "is not a variable of aro-hcp"],
  ])("%s is reported without the settings that are then missing", async (_what, text, environment, message) => {
    const file = text === undefined ? path.join(directory.path, "absent.yaml") : config(text);
    // The roles require the resource group of the zone and identity files, which could be in the file, too.
    for (const flags of [{}, { assignIdentityRoles: true }])
      expect(await problemsOf(resolve("create infra", { ...flags, config: file }, environment))).toEqual([
        expect.objectContaining({ message: expect.stringContaining(message) as string }),
      ]);
  });

  test.each([
    ["- a\n", "must be a mapping of settings"],
    ["name: [\n", "is not well-formed"],
    ["", "is empty"],
  ])("a configuration file of %j is rejected", async (text, why) => {
    expect(await problemsOf(create({ config: config(text) }))).toEqual([
      expect.objectContaining({ message: expect.stringContaining(why) as string }),
    ]);
  });

  test("the failure has the number of settings and the exit code of wrong usage", async () => {
    await expect(create({ name: "", location: "" })).rejects.toMatchObject({ code: "ARO-USAGE-001", message: "2 settings cannot be used" });
  });
});

test.each([
  ["ARO_HCP_LOCATOIN", 'is not a variable of aro-hcp; did you mean "ARO_HCP_LOCATION"?'],
  ["ARO_HCP_DRYRUN", 'is not a variable of aro-hcp; did you mean "ARO_HCP_DRY_RUN"?'],
  ["ARO_HCP_Dry_Run", 'is not a variable of aro-hcp; did you mean "ARO_HCP_DRY_RUN"?'],
  ["aro_hcp_dry_run", 'is not a variable of aro-hcp; did you mean "ARO_HCP_DRY_RUN"?'],
  ["ARO_HCP_LOCAL_LATENCIES", 'is not a variable of aro-hcp; did you mean "ARO_HCP_LOCAL_LATENCY"?'],
  ["ARO_HCP_", "is not a variable of aro-hcp; unset it"],
  ["ARO_HCP_FLUX_CAPACITOR_VOLTAGE", "is not a variable of aro-hcp; unset it"],
])("%s is refused, with the variable that was probably meant", async (variable, message) => {
  await expect(create({}, { [variable]: "true" })).rejects.toMatchObject({
    code: "ARO-USAGE-001",
    problems: [{ origin: variable, message }],
  });
});

test("variables of other commands, of the emulator, of other programs, and empty ones are ignored", async () => {
  const environment = { ARO_HCP_PURGE: "true", ARO_HCP_LOCAL_DIR: "state", ARO_HCP_DRYRUN: "", ARO_HCPX: "1", PATH: "/bin" };
  expect((await create({}, environment)).notices).toEqual([]);
  expect([...emulatorVariables].sort()).toEqual(["ARO_HCP_LOCAL_DIR", "ARO_HCP_LOCAL_RESPONSE_LIMIT", ...settingVariables].sort());
});

test("custom roles imply role assignment", async () => {
  const roles = { assignCustomHcpRoles: true, dnsZoneRgName: "dns", managedIdentitiesFile: "ids.json" };
  expect((await create(roles)).settings.assignIdentityRoles).toBe(true);
});

test("settings are read-only, and their types derive from the table", async () => {
  const { settings } = await create();
  expect(Object.isFrozen(settings)).toBe(true);
  expectTypeOf(settings).toEqualTypeOf<CreateInfraSettings>();
  expectTypeOf<CreateInfraSettings["name"]>().toEqualTypeOf<string>();
  expectTypeOf<DestroyInfraSettings["name"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<CreateInfraSettings["naming"]>().toEqualTypeOf<"documented" | "hypershift">();
  expectTypeOf<CreateInfraSettings["timeout"]>().toEqualTypeOf<number>();
  expectTypeOf<CreateInfraSettings["dryRun"]>().toEqualTypeOf<boolean>();
  // @ts-expect-error: destroy has no base domain
  expectTypeOf<DestroyInfraSettings["baseDomain"]>();
});

test.each([
  ["the name of the set, before that of the cluster", {}, { ARO_HCP_NAME: "blue", ARO_HCP_IDENTITIES_NAME: "shared" }, "shared"],
  ["--identities-name, before any variable", { identitiesName: "own" }, { ARO_HCP_IDENTITIES_NAME: "shared" }, "own"],
  ["the name of the set, beside the same --name", { name: "shared" }, { ARO_HCP_IDENTITIES_NAME: "shared" }, "shared"],
  ["the name of the cluster in --name, which is that of its set", { name: "blue" }, { ARO_HCP_NAME: "green" }, "blue"],
  ["--identities-name", { name: "blue", identitiesName: "shared" }, {}, "shared"],
  ["--identities-name alone", { identitiesName: "shared" }, {}, "shared"],
  ["the name of the cluster, which is that of its set", {}, { ARO_HCP_NAME: "blue" }, "blue"],
] as const)("a command about a set alone takes %s", async (_what, flags, environment, name) => {
  expect((await resolve("destroy oidc-issuer", flags, environment)).settings.identitiesName).toBe(name);
});

test("a command about a set alone does not guess between its own --name and the set of a variable", async () => {
  const flags = { name: "demo" };
  const resolved = resolve("destroy identities", flags, { ARO_HCP_IDENTITIES_NAME: "prod" });
  await expect(resolved).rejects.toMatchObject({
    code: "ARO-USAGE-001",
    problems: [
      {
        origin: "--name",
        message: expect.stringMatching(/"demo", but ARO_HCP_IDENTITIES_NAME is "prod": pass --identities-name/) as string,
      },
    ],
  });
});

test.each([
  [{}, "10.0.0.0/24"],
  [{ vnetCidr: "10.1.0.0/16" }, "10.1.0.0/24"],
  [{ vnetCidr: "192.168.4.0/22" }, "192.168.4.0/24"],
  [{ vnetCidr: "10.9.0.0/26" }, "10.9.0.0/26"],
  [{ vnetCidr: "10.1.0.0/16", subnetCidr: "10.1.8.0/21" }, "10.1.8.0/21"],
])("with %j, the subnet is %s", async (flags, subnet) => {
  expect((await create(flags)).settings.subnetCidr).toBe(subnet);
});

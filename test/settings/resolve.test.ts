import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, expectTypeOf, test } from "vitest";
import type { CreateInfraSettings, DestroyInfraSettings } from "../../src/settings/settings.js";
import { create, problemsOf, required, resolve, writeConfig } from "./resolving.js";

const directory = mkdtempSync(path.join(tmpdir(), "aro-hcp-settings-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const config = (text: string): string => writeConfig(path.join(directory, "cluster.yaml"), text);

describe("where a value comes from", () => {
  test("flag goes before variable before file before default, and each value says which it was", async () => {
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

  test("a variable that is set to nothing counts as unset", async () => {
    expect((await create({}, { ARO_HCP_LOCATION: "" })).settings.location).toBe("eastus");
  });

  test("AZURE_SUBSCRIPTION_ID is no setting: files that are read later say more than it", async () => {
    const [ours, theirs] = ["11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"];
    expect((await create({}, { AZURE_SUBSCRIPTION_ID: theirs })).settings.subscription).toBeUndefined();
    expect((await create({}, { AZURE_SUBSCRIPTION_ID: theirs, ARO_HCP_SUBSCRIPTION: ours })).settings.subscription).toBe(ours);
  });

  test("the configuration file may itself be named by a variable, and may be JSON", async () => {
    const file = config(
      JSON.stringify({ location: "westeurope", resourceGroupTags: { team: "a,b" }, assignIdentityRoles: false, concurrency: 4 }),
    );
    const { settings } = await create({}, { ARO_HCP_CONFIG: file });
    expect(settings).toMatchObject({ location: "westeurope", resourceGroupTags: { team: "a,b" }, concurrency: 4 });
  });

  test("one file serves several commands: keys of the others are let pass", async () => {
    const file = config("name: demo\ninfraId: demo-x7k2\nbaseDomain: hcp.example.com\npreserveResourceGroup: true\n");
    expect((await resolve("create infra", { config: file })).settings).not.toHaveProperty("preserveResourceGroup");
    expect((await resolve("destroy infra", { config: file })).settings.preserveResourceGroup).toBe(true);
  });
});

describe("what is wrong is told all at once, each with its place", () => {
  test("from flags, variables, lines of the file, and for what is missing", async () => {
    const file = config("vnetCird: 10.0.0.0/16\nconcurrency: many\nyes: true\n");
    const problems = await problemsOf(
      resolve("create infra", { config: file, name: "Demo", output: "jsn" }, { ARO_HCP_TIMEOUT: "soon", ARO_HCP_DRY_RUN: "maybe" }),
    );
    expect(problems).toEqual([
      { origin: `${file}:1`, message: '"vnetCird" is not a setting; did you mean "vnetCidr"?' },
      { origin: `${file}:3`, message: '"yes" is not taken from a file: give --yes' },
      { origin: "--infra-id", message: "is required; it may also stand in ARO_HCP_INFRA_ID, or as infraId in a --config file" },
      { origin: "--base-domain", message: "is required; it may also stand in ARO_HCP_BASE_DOMAIN, or as baseDomain in a --config file" },
      { origin: "ARO_HCP_DRY_RUN", message: '"maybe" is neither true nor false' },
      { origin: "--output", message: '"jsn" is not one of text, json; did you mean "json"?' },
      { origin: "ARO_HCP_TIMEOUT", message: '"soon" is not a duration: 90s, 45m, 1h30m' },
      { origin: `${file}:2`, message: '"many" is not a whole number' },
      { origin: "--name", message: '"Demo" is not 1 to 63 lower-case letters, digits and inner hyphens' },
    ]);
  });

  test("a configuration file that cannot be read does not hide the other problems", async () => {
    const problems = await problemsOf(create({ config: path.join(directory, "absent.yaml"), location: "East US" }));
    expect(problems).toEqual([
      { origin: "--config", message: expect.stringContaining("ENOENT") as string },
      { origin: "--location", message: '"East US" is not a location\'s name; did you mean "eastus"?' },
    ]);
  });

  test.each([
    ["- a\n", "is not a list of settings"],
    ["name: [\n", "is not well-formed"],
    ["", "is empty"],
  ])("a configuration file of %j is refused", async (text, why) => {
    expect(await problemsOf(create({ config: config(text) }))).toEqual([
      expect.objectContaining({ message: expect.stringContaining(why) as string }),
    ]);
  });

  test("the refusal says how many there are and exits as wrong usage", async () => {
    await expect(create({ name: "", location: "" })).rejects.toMatchObject({ code: "ARO-USAGE-001", message: "2 settings cannot be used" });
  });
});

test("a variable that looks like ours and is none is noticed, those of the emulator are not", async () => {
  const { notices } = await create({}, { ARO_HCP_LOCATOIN: "uksouth", ARO_HCP_LOCAL_DIR: "world", PATH: "/bin" });
  expect(notices).toEqual(['ARO_HCP_LOCATOIN is not a variable of aro-hcp; did you mean "ARO_HCP_LOCATION"?']);
});

test("the custom roles are roles to be assigned", async () => {
  const roles = { assignCustomHcpRoles: true, dnsZoneRgName: "dns", managedIdentitiesFile: "ids.json" };
  expect((await create(roles)).settings.assignIdentityRoles).toBe(true);
});

test("settings cannot be changed afterwards, and their types follow from the table", async () => {
  const { settings } = await create();
  expect(Object.isFrozen(settings)).toBe(true);
  expectTypeOf(settings).toEqualTypeOf<CreateInfraSettings>();
  expectTypeOf<CreateInfraSettings["name"]>().toEqualTypeOf<string>();
  expectTypeOf<DestroyInfraSettings["name"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<CreateInfraSettings["naming"]>().toEqualTypeOf<"documented" | "hypershift">();
  expectTypeOf<CreateInfraSettings["timeout"]>().toEqualTypeOf<number>();
  expectTypeOf<CreateInfraSettings["dryRun"]>().toEqualTypeOf<boolean>();
  // @ts-expect-error: destroy asks for no base domain
  expectTypeOf<DestroyInfraSettings["baseDomain"]>();
});

/** `create all` reads all its settings from one file: the minimum, and every setting. */
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { optionsOf } from "../../src/settings/commands.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { problemsOf, resolve, subnetId, nsgId, subscription, vnetId } from "./resolving.js";

const directory = temporaryDirectory(afterAll);
const file = (text: string) => directory.write("aro.yaml", text);
const yamlOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join("");

const minimum = yamlOf({
  name: "demo",
  infraId: "demo-x7k2",
  baseDomain: "hcp.example.com",
  dnsZoneRgName: "dns",
  outputDir: "out",
});

const maximum: Readonly<Record<string, string>> = {
  name: "demo",
  infraId: "demo-x7k2",
  baseDomain: "hcp.example.com",
  dnsZoneRgName: "dns",
  outputDir: join("out", "demo"),
  cloud: "local",
  azureCreds: "azure-creds.json",
  subscription,
  location: "westeurope",
  naming: "hypershift",
  resourceGroupTags: "{team: a, cost-center: '1'}",
  vnetId,
  subnetId,
  networkSecurityGroupId: nsgId,
  singleResourceGroup: "false",
  egress: "load-balancer",
  outboundAddresses: "2",
  plain: "true",
  expectedNodes: "100",
  disableClusterCapabilities: "[ImageRegistry]",
  assignCustomHcpRoles: "true",
  identitiesName: "shared",
  persistentResourceGroupName: "common",
  keyVaultName: "demo-kv",
  keyVaultReaderObjectId: "00000000-0000-4000-8000-00000000aaa1",
  managementClusterFile: "mgmt.json",
  enableKms: "true",
  purgeProtection: "true",
  returnOwnRoles: "true",
  managedHsmName: "demo-hsm",
  keySize: "'4096'",
  validityMonths: "24",
  objectEncoding: "base64",
  oidcResourceGroupName: "issuers",
  storageAccountName: "demoissuer",
  blobContainerName: "tokens",
  userTags: "{team: a}",
  issuerUpload: "account-key",
  dryRun: "true",
  output: "json",
  fullPlan: "true",
  color: "never",
  timeout: "90m",
  concurrency: "8",
  debug: "true",
  outputEvents: "events.ndjson",
  outputReport: "report.html",
  outputTimings: "timings.json",
};

test("the minimum: five settings, and names derived from them", async () => {
  const { settings } = await resolve("create all", { config: file(minimum) });
  expect(settings).toMatchObject({ name: "demo", outputDir: "out", validityMonths: 12, keyVaultName: undefined, enableKms: false });
  expect(await problemsOf(resolve("create all", { config: file("name: demo\n") }))).toHaveLength(5);
});

test("the maximum: every setting that a file can contain, except mutually exclusive ones", async () => {
  const excluded = ["config", "vnetCidr", "subnetCidr", "publicIpPrefixId", "natGatewayId", "routeTableId", "keyVaultId"];
  const known = optionsOf("create all").flatMap(({ key, notInFile }) => (notInFile === true || excluded.includes(key) ? [] : [key]));
  // A new option must be added here, too.
  expect(Object.keys(maximum).toSorted()).toEqual(known.toSorted());
  const { settings, origins } = await resolve("create all", { config: file(yamlOf(maximum)) });
  for (const key of known) expect(origins[key as keyof typeof origins]?.source, key).toBe("file");
  expect(settings).toMatchObject({ keySize: "4096", userTags: { team: "a" }, timeout: 90 * 60_000, assignCustomHcpRoles: true });
});

test("a section has the values of one command, which come before those for every command", async () => {
  const config = file(
    `$schema: aro-hcp.schema.json\n${minimum}timeout: 90m\n` +
      "create all: { timeout: 2h, userTags: { team: a } }\nverify infra:\n  inputDir: out\n  timeout: 5m\nshow infra:\n",
  );
  const all = await resolve("create all", { config });
  expect(all.settings).toMatchObject({ name: "demo", timeout: 120 * 60_000, userTags: { team: "a" } });
  expect(all.origins.timeout).toEqual({ source: "file", label: expect.stringMatching(/aro\.yaml:8$/) as string });
  expect((await resolve("verify infra", { config })).settings).toMatchObject({ inputDir: "out", timeout: 5 * 60_000 });
  expect((await resolve("show infra", { config })).settings.timeout).toBe(90 * 60_000);
  // A variable and a flag come before the section.
  expect((await resolve("verify infra", { config }, { ARO_HCP_TIMEOUT: "6m" })).settings.timeout).toBe(6 * 60_000);
  expect((await resolve("verify infra", { config, timeout: "7m" }, { ARO_HCP_TIMEOUT: "6m" })).settings.timeout).toBe(7 * 60_000);
});

test("a command about a set alone takes the set of its section, of the file, or of the cluster", async () => {
  const nameOf = async (text: string, flags = {}) =>
    (await resolve("show identities", { config: file(`name: demo\n${text}`), ...flags })).settings.identitiesName;
  expect(await nameOf("")).toBe("demo");
  expect(await nameOf("show identities: { name: own }\n")).toBe("own");
  await expect(nameOf("identitiesName: shared\nshow identities: { name: own }\n")).rejects.toThrow("1 setting cannot be used");
  await expect(nameOf("identitiesName: shared\n", { name: "own" })).rejects.toThrow("1 setting cannot be used");
  expect(await nameOf("identitiesName: shared\nshow identities: { identitiesName: first }\n")).toBe("first");
  expect(await nameOf("identitiesName: shared\n", { identitiesName: "flag", name: "blue" })).toBe("flag");
});

test("a section is checked for every command, at its lines", async () => {
  const sections =
    "verify infra:\n  inputDirectory: x\n  vaultName: y\n  yes: true\ndestroy infra: [x]\ncreate alll: {}\nbaseDomain2: z\ncreate infrastructure:\n  name: z\n";
  const problems = await problemsOf(resolve("create all", { config: file(`${minimum}${sections}`) }));
  expect(problems.map(({ origin, message }) => `${origin.split(":").at(-1) ?? ""} ${message}`)).toEqual([
    '11 "create alll" is not a setting; did you mean "create all"?',
    '12 "baseDomain2" is not a setting; did you mean "baseDomain"?',
    '14 "create infrastructure" is not a setting; did you mean "create infra"?',
    '10 "destroy infra" must be a mapping of settings, `key: value`',
    '7 "inputDirectory" is not a setting of verify infra; did you mean "inputDir"?',
    '8 "vaultName" is not a setting of verify infra',
    '9 "yes" cannot be set in a file; pass --yes',
  ]);
});

test("an unknown key is reported at its line, with the nearest known key", async () => {
  const problems = await problemsOf(resolve("create all", { config: file(`${minimum}keyVaultname: x\nvalidityMonth: 3\npurge: true\n`) }));
  expect(problems.map(({ origin, message }) => `${origin.split(":").at(-1) ?? ""} ${message}`)).toEqual([
    '6 "keyVaultname" is not a setting; did you mean "keyVaultName"?',
    '7 "validityMonth" is not a setting; did you mean "validityMonths"?',
    '8 "purge" cannot be set in a file; pass --purge',
  ]);
});

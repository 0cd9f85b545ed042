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
  expectedNodes: "100",
  disableClusterCapabilities: "[ImageRegistry]",
  assignCustomHcpRoles: "true",
  identitiesName: "shared",
  persistentResourceGroupName: "common",
  keyVaultName: "demo-kv",
  keyVaultReaderObjectId: "00000000-0000-4000-8000-00000000aaa1",
  managementClusterJson: "mgmt.json",
  enableKms: "true",
  managedHsmName: "demo-hsm",
  keySize: "'4096'",
  validityMonths: "24",
  oidcResourceGroupName: "issuers",
  storageAccountName: "demoissuer",
  blobContainerName: "tokens",
  userTags: "{team: a}",
  issuerUpload: "account-key",
  dryRun: "true",
  output: "json",
  plan: "full",
  color: "never",
  timeout: "90m",
  concurrency: "8",
  debug: "true",
  events: "events.ndjson",
};

test("the minimum: five settings, and names derived from them", async () => {
  const { settings } = await resolve("create all", { config: file(minimum) });
  expect(settings).toMatchObject({ name: "demo", outputDir: "out", validityMonths: 12, keyVaultName: undefined, enableKms: false });
  expect(await problemsOf(resolve("create all", { config: file("name: demo\n") }))).toHaveLength(4);
});

test("the maximum: every setting that a file can contain, except mutually exclusive ones", async () => {
  const excluded = ["config", "vnetCidr", "subnetCidr", "publicIpPrefixId", "natGatewayId", "routeTableId"];
  const known = optionsOf("create all").flatMap(({ key, notInFile }) => (notInFile === true || excluded.includes(key) ? [] : [key]));
  // A new option must be added here, too.
  expect(Object.keys(maximum).toSorted()).toEqual(known.toSorted());
  const { settings, origins } = await resolve("create all", { config: file(yamlOf(maximum)) });
  for (const key of known) expect(origins[key as keyof typeof origins]?.source, key).toBe("file");
  expect(settings).toMatchObject({ keySize: "4096", userTags: { team: "a" }, timeout: 90 * 60_000, assignCustomHcpRoles: true });
});

test("an unknown key is reported at its line, with the nearest known key", async () => {
  const problems = await problemsOf(resolve("create all", { config: file(`${minimum}keyVaultname: x\nvalidityMonth: 3\npurge: true\n`) }));
  expect(problems.map(({ origin, message }) => `${origin.split(":").at(-1) ?? ""} ${message}`)).toEqual([
    '6 "keyVaultname" is not a setting; did you mean "keyVaultName"?',
    '7 "validityMonth" is not a setting; did you mean "validityMonths"?',
    '8 "purge" cannot be set in a file; pass --purge',
  ]);
});

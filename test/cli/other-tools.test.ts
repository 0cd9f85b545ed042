/** Each row of docs/other-tools.md: what replaces it works, a flag that there is not is refused, and the other tool has it. */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scripts, tables, type Table } from "../../tools/other-tools.js";
import { wellKnown } from "../../src/emulator/index.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { infra } from "../hosted-cluster/recorded-render.js";
import { exits } from "./expectations.js";
import { applications, controlPlane, dataPlane, fileOf, workload } from "../identities/cli/identities.js";
import { createSet } from "../identities/cli/identity-sets.js";
import { assignLocally, localAssignment } from "../local/local-roles.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const network = `${subscription}/resourceGroups/net/providers/Microsoft.Network`;
const location = "eastus";
const id = "11111111-1111-1111-1111-111111111111";

let azure: TestEmulator;
const shared = testEmulator({ atEnd: afterAll });

beforeAll(async () => {
  azure = await shared;
  const { privatePem, publicPem } = testKey();
  const files: Readonly<Record<string, unknown>> = {
    "cp.json": controlPlane,
    "dp.json": dataPlane,
    "wi.json": workload,
    "infra.json": infra,
    "creds.json": { subscriptionId: id, tenantId: id },
    "pull-secret.json": { auths: { "quay.io": { auth: Buffer.from("a:b").toString("base64") } } },
    "azure.json": { tenantId: id, subscriptionId: id, resourceGroup: "dns", aadClientId: id, aadClientSecret: "s" },
    "id.pub": `ssh-ed25519 ${"A".repeat(68)} me\n`,
    signer: privatePem,
    "signer.public": publicPem,
  };
  for (const [name, content] of Object.entries(files)) await fileOf(azure, name, content);
  const group = (name: string) => ({ [`${subscription}/resourceGroups/${name}`]: { location } });
  const securityGroup = { id: `${network}/networkSecurityGroups/nsg` };
  await azure.seed({
    applications,
    resources: {
      ...group("shared"),
      ...group("net"),
      [securityGroup.id]: { location },
      [`${network}/virtualNetworks/vnet`]: {
        location,
        properties: {
          addressSpace: { addressPrefixes: ["10.5.0.0/16"] },
          subnets: [{ name: "default", properties: { addressPrefix: "10.5.0.0/24", networkSecurityGroup: securityGroup } }],
        },
      },
      ...group("hsm"),
      [`${subscription}/resourceGroups/hsm/providers/Microsoft.KeyVault/managedHSMs/demo-hsm`]: {
        location,
        properties: { initialAdminObjectIds: [wellKnown.clientPrincipalId] },
      },
    },
  });
  await assignLocally(azure, "demo-hsm", () => [localAssignment(wellKnown.clientPrincipalId, "cryptoUser", "/keys")]);
  exits(await createSet(azure, ["--enable-kms"]), 0);
  await placePrivateKey(azure.path("keys"), testKey());
});

/** With the paths of files. */
const words = (line: readonly string[]) => line.map((word) => (word.startsWith("@") ? azure.path(word.slice(1)) : word));
const run = (line: readonly string[]) => azure.cli(words(line));
const commandOf = ({ ours }: Table) => ours.split(" ");

describe.each(tables)("$theirs", (table) => {
  test.each(table.rows)("$flag", async (row) => {
    if ("ours" in row) {
      exits(await run([...commandOf(table), ...table.base, ...row.ours]), 0);
      return;
    }
    const { stderr } = exits(await run([...commandOf(table), ...table.base, row.flag, "x"]), 2);
    expect(stderr).toContain("is not an option of");
  });
});

test.each(
  Object.values(scripts)
    .flat()
    .filter(({ ours }) => ours.length > 0),
)("$script", async ({ ours }) => {
  for (const line of ours) exits(await run(line), 0);
});

/** The flags that the help of another tool lists; undefined if the tool is not installed. */
function flagsInHelp(command: string): Set<string> | undefined {
  const [program = "", ...words] = command.split(" ");
  const { error, stdout } = spawnSync(program, [...words, "--help"], { encoding: "utf8" });
  if (error !== undefined) return undefined;
  const lists = [...stdout.matchAll(/^ +(?:(-\w), )?(--[\w-]+)/gm)];
  const flags = lists.flatMap(([, short, flag]) => [short ?? "", flag ?? ""]);
  return new Set(flags.filter((flag) => !["", "-h", "--help"].includes(flag)));
}

for (const { theirs, rows } of tables) {
  const known = flagsInHelp(theirs.replace(/`/g, "").replace(/ --render$/, ""));
  test.skipIf(known === undefined)(`the flags of ${theirs} are those of its help`, () => {
    expect(rows.map(({ flag }) => flag).toSorted()).toEqual([...(known ?? [])].toSorted());
  });
}

/** A missing cluster or identity set is reported as missing, rather than its settings. */
import { expect, test } from "vitest";
import { seedAksCluster } from "../harness/aks-cluster.js";
import { testEmulator } from "../harness/test-emulator.js";
import { create, exits } from "./expectations.js";
import { createSet, setFlags } from "../identities/cli/identity-sets.js";

const subscription = "5b5c0000-0000-4000-8000-000000000001";
const demo = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2"];

test.each(["show", "verify"])("%s infra of a cluster that does not exist says so, and advises what to do", async (verb) => {
  const azure = await testEmulator();
  const { stderr } = exits(await azure.cli([verb, "infra", ...demo]), 2);
  expect(stderr).toContain(`no cluster demo/demo-x7k2 was found in subscription ${subscription}`);
  expect(stderr).toContain("aro-hcp create infra --cloud local --name demo --infra-id demo-x7k2 --base-domain <base-domain>");
  expect(stderr).toContain("check --name, --infra-id and --subscription");
});

test.each(["show", "verify"])("%s names the clusters that exist beside a mistyped one", async (verb) => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await seedAksCluster(azure);
  expect(exits(await azure.cli([verb, "infra", ...demo.slice(0, -1), "demo-x7k3"]), 2).stderr).toContain('did you mean "demo-x7k2"?');
  const other = exits(await azure.cli([verb, "infra", "--cloud", "local", "--name", "dmeo", "--infra-id", "demo-x7k2"]), 5).stderr;
  expect(other).toMatch(/infra ID.*demo[\s\S]*--name demo/);
  expect(exits(await azure.cli([verb, "management-cluster", "--cloud", "local", "--name", "mgnt"]), 2).stderr).toContain(
    'did you mean "mgmt"?',
  );
});

test("show all of a mistyped infra ID leads with the one that the cluster has, and advises its own create", async () => {
  const azure = await testEmulator();
  const show = (infraId: string) => azure.cli(["show", "all", "--cloud", "local", "--name", "demo", "--infra-id", infraId]);
  const unknown = exits(await show("x7k3"), 2).stderr;
  expect(unknown).toMatch(/next +check --name, --infra-id and --subscription\n +next +or create it: `aro-hcp create all --cloud local/);
  exits(await create(azure), 0);
  const { stderr } = exits(await show("x7k3"), 2);
  expect(stderr).toMatch(/\n +next +pass --infra-id demo-x7k2: cluster demo has it\n +next +check/);
});

test.each([
  ["iam", ["--name", "demo", "--infra-id", "x7k2", "--persistent-resource-group-name", "iam"], "no workload identity of cluster demo/x7k2"],
  ["dns-zone", ["--base-domain", "hcp.example.net", "--dns-zone-rg-name", "dns"], "no DNS zone hcp.example.net was found"],
])("show %s of what does not exist says so, and names its create", async (noun, flags, words) => {
  const azure = await testEmulator();
  const { stdout, stderr } = exits(await azure.cli(["show", noun, "--cloud", "local", ...flags]), 2);
  expect(stdout).toBe("");
  expect(stderr).toContain(words);
  expect(stderr).toContain(`aro-hcp create ${noun} --cloud local ${flags.join(" ")}`);
});

const inCommon = ["--cloud", "local", "--resource-group-name", "common"];

test.each([
  ["show identities", /belongs to the identity set "nope"/],
  ["show encryption-key", /belongs to the identity set "nope"/],
])("%s of a set that does not exist says so in one line, with the sets that exist", async (command, words) => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const show = (name: string) => azure.cli([...command.split(" "), ...inCommon, "--name", name]);
  const { stdout, stderr } = exits(await show("nope"), 2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(words);
  expect(stderr).toContain("identity sets that exist there: demo");
  expect(exits(await show("demp"), 2).stderr).toContain('did you mean "demo"?');
});

test("show encryption-key of a set without a key says so", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const { stderr } = exits(await azure.cli(["show", "encryption-key", ...setFlags]), 2);
  expect(stderr).toMatch(/has no key demo-etcd-encryption of the identity set "demo"/);
});

test("destroy all of a set whose cluster is gone is done", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const { stderr } = exits(await azure.cli(["destroy", "all", ...demo, "--persistent-resource-group-name", "common", "--yes"]), 0);
  expect(stderr).toMatch(/destroy all demo-x7k2 is done .* \d+ removed/);
});

test.each([
  ["East US", /Azure location; did you mean "eastus"\?/],
  ["Mars", /"Mars" is not the name of an Azure location$/m],
])("only a known location is suggested for %s", async (location, words) => {
  const azure = await testEmulator();
  expect(exits(await azure.cli(["destroy", "infra", ...demo, "--location", location]), 2).stderr).toMatch(words);
});

test("a destroy that keeps something does not say that nothing was there", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const flags = ["--persistent-resource-group-name", "common", "--yes"];
  const run = (...purge: readonly string[]) => azure.cli(["destroy", "all", ...demo, ...flags, ...purge]);
  expect(exits(await run(), 0).stderr).toContain('only the identity set "demo" or its issuer is left');
  // The vault proved the applications: without it, they are kept.
  exits(await run("--purge"), 0);
  const { stderr } = exits(await run("--purge"), 0);
  expect(stderr).toMatch(/\d+ kept/);
  expect(stderr).not.toContain("nothing was there");
});

test.each([
  ["infra", demo],
  ["all", demo],
  ["identities", [...inCommon, "--name", "nope"]],
  ["management-cluster", ["--cloud", "local", "--name", "nope"]],
  ["arc", ["--cloud", "local", "--name", "nope"]],
])("destroy %s of what does not exist is not done", async (what, flags) => {
  const azure = await testEmulator();
  const { stderr } = exits(await azure.cli(["destroy", what, ...flags, "--yes"]), 0);
  expect(stderr).toMatch(/: nothing was there$/m);
  expect(stderr).not.toMatch(/nothing to do|0 steps/);
  expect(stderr).not.toContain("is done");
});

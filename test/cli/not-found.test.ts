/** A missing cluster or identity set is reported as missing, rather than its settings. */
import { expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";

const subscription = "5b5c0000-0000-4000-8000-000000000001";
const demo = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2"];

test.each(["show", "verify"])("%s infra of a cluster that does not exist says so, and advises what to do", async (verb) => {
  const azure = await testEmulator();
  const { stderr } = exits(await azure.cli([verb, "infra", ...demo]), 2);
  expect(stderr).toContain(`no cluster demo/demo-x7k2 was found in subscription ${subscription}`);
  expect(stderr).toContain("aro-hcp create infra --cloud local --name demo --infra-id demo-x7k2 --base-domain <base domain>");
  expect(stderr).toContain("check --name, --infra-id and --subscription");
});

test("show identities of a set that does not exist says so in one line", async () => {
  const azure = await testEmulator();
  const { stderr } = exits(
    await azure.cli(["show", "identities", "--cloud", "local", "--name", "nope", "--resource-group-name", "common"]),
    0,
  );
  expect(stderr).toContain(`notice: no identity set "nope" was found in resource group common of subscription ${subscription}`);
});

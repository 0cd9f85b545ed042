/** A create whose zone is not where its flags say: the error names where it is, or the zone that may be meant. */
import { test } from "vitest";
import { inGroup } from "../cli/demo-cluster.js";
import { refuses } from "../cli/expectations.js";
import { demo, testEmulator } from "../harness/test-emulator.js";

test("the group of the zone, a near name, and the command that creates it; a parent is no near name", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [inGroup("dns", "dnszones/example.com")]: { location: "global" } } });
  const create = (domain: string, group: string) =>
    azure.cli(["create", "infra", ...demo, "--base-domain", domain, "--dns-zone-rg-name", group]);
  await refuses(azure, create("hcp.example.com", "dnss"), 5, 'it is in resource group "dns": correct --dns-zone-rg-name');
  await refuses(azure, create("hpc.example.com", "dns"), 5, 'correct --base-domain; did you mean "hcp.example.com"?');
  const other = "kubernetes.example.com";
  await refuses(azure, create(other, "dns"), 5, /correct --base-domain$/m, `aro-hcp create dns-zone --cloud local --base-domain ${other}`);
});

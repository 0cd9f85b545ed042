/** The public zone of the base domain: found in any resource group, never guessed. */
import { describe, expect, test } from "vitest";
import { demo, testEmulator } from "../harness/test-emulator.js";
import { groupId, inGroup } from "../cli/demo-cluster.js";
import { create, destroy, exits, refuses } from "../cli/expectations.js";

describe("the public zone", () => {
  const zones = (...groupsAndNames: (readonly [string, string])[]) => ({
    resources: Object.fromEntries(
      groupsAndNames.flatMap(([group, name]) => [
        [groupId(group), { location: "eastus" }],
        [inGroup(group, `dnszones/${name}`), { location: "global", properties: { zoneType: "Public" } }],
      ]),
    ),
  });

  test("on the second page is found, whatever its casing", async () => {
    const azure = await testEmulator();
    await azure.seed({ knobs: { pageSize: 1 }, ...zones(["a", "a.example.com"], ["b", "b.example.com"], ["z", "Cluster.Example.com"]) });
    const { stdout } = exits(await azure.cli(["create", "infra", ...demo, "--base-domain", "cluster.example.com", "-o", "json"]), 0);
    expect(JSON.parse(stdout)).toMatchObject({ infra: { publicZoneID: inGroup("z", "dnszones/Cluster.Example.com") } });
    // Its groups and resources are on several pages, too.
    exits(await destroy(azure), 0);
    expect(Object.keys((await azure.snapshot()).resources).filter((key) => key.includes("demo"))).toEqual([]);
  });

  test("that exists twice is not guessed, and --dns-zone-rg-name selects one", async () => {
    const azure = await testEmulator();
    await azure.seed(zones(["other", "hcp.example.com"]));
    await refuses(azure, create(azure), 5, "2 public DNS zones", inGroup("other", "dnszones/hcp.example.com"), "--dns-zone-rg-name");
    const { stdout } = exits(await create(azure, ["--dns-zone-rg-name", "other", "-o", "json"]), 0);
    expect(JSON.parse(stdout)).toMatchObject({ infra: { publicZoneID: inGroup("other", "dnszones/hcp.example.com") } });
  });

  test("that does not exist is reported before anything is written, and only for the specified group", async () => {
    const azure = await testEmulator();
    await azure.seed({ resources: { [groupId("empty")]: { location: "eastus" } } });
    await refuses(
      azure,
      create(azure, ["--dns-zone-rg-name", "empty"]),
      5,
      'public DNS zone "hcp.example.com" not found in resource group "empty"',
    );
  });
});

/** The thirty clusters: what `list` says of each, and which of them `adopt` takes over. */
import { expect, test } from "vitest";
import { all } from "../../src/azure/pages.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator, writes, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";
import { beside, seedBeside } from "./beside-clusters.js";
import { adoptable, foreign, listed, seedThirtyClusters } from "./thirty-clusters.js";

interface Finding {
  readonly kind: string;
  readonly name: string;
  readonly infraID?: string;
  readonly origin: string;
  readonly missing: readonly string[];
  readonly credentialsEnd?: string;
}

async function estate(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await seedThirtyClusters(azure);
  await seedBeside(azure);
  return azure;
}

/** "clusters demo/x7k2 of aro-hcp, no private DNS zone" */
function lineOf({ kind, name, infraID, origin, missing }: Finding): string {
  return [`${kind} ${infraID === undefined ? name : `${name}/${infraID}`} of ${origin}`, ...missing.map((one) => `no ${one}`)].join(", ");
}

test("list shows each of the thirty as what it is, and nothing of what only looks like one", async () => {
  const azure = await estate();
  const { stdout } = exits(await azure.cli(["list", "clusters", "--cloud", "local", "--output", "json"]), 0);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  expect(findings.map(lineOf)).toEqual(listed);
});

test("credentials about to end are those of c05 and c06", async () => {
  const { stdout } = exits(await (await estate()).cli(["list", "identities", "--cloud", "local"]), 0);
  expect(stdout).toMatch(/c05 .*a credential ends in (9|10) days/);
  expect(stdout).toMatch(/c06 .*a credential has ended/);
  expect(stdout.match(/a credential/g)).toHaveLength(2);
});

test("adopt takes over the nine of hypershift and its scripts and the issuer of c26, each as a whole and nothing else, and never c27 to c30", async () => {
  const azure = await estate();
  await azure.traffic();
  const taken = await Promise.all(
    Object.entries(adoptable).map(async ([name, flags]) => {
      const { stdout } = exits(await azure.cli(["adopt", "infra", "--cloud", "local", ...flags, "--dry-run", "--output", "json"]), 0);
      const { steps } = JSON.parse(stdout) as { readonly steps: readonly { readonly act: string; readonly resourceId: string }[] };
      expect(steps.filter(({ act }) => act !== "update")).toEqual([]);
      const ids = steps.map(({ resourceId }) => resourceId);
      const [, two = ""] = /^c(\d\d)$/.exec(name) ?? [];
      expect(ids.filter((id) => !new RegExp(`/(c${two}-[^/]*|c${two}\\.[^/]*|(cluster)?i${two}x)$`).test(id))).toEqual([]);
      return [name, ids.length] as const;
    }),
  );
  // c16 is in a group of others, c21 in one of its own, and only hypershift made a part of c24.
  expect(Object.fromEntries(taken)).toEqual({ c15: 8, c16: 5, c17: 8, c18: 8, c19: 8, c20: 8, c21: 9, c23: 8, c24: 3 });
  const issuer = ["adopt", "oidc-issuer", "--cloud", "local", "--identities-name", "c26", "--dry-run", "--output", "json"];
  const { steps } = JSON.parse(exits(await azure.cli(issuer), 0).stdout) as { readonly steps: readonly { readonly act: string }[] };
  // Group, account, container and seven identities.
  expect(steps.map(({ act }) => act)).toEqual(Array.from({ length: 10 }, () => "update"));
  for (const flags of foreign) {
    const { code } = await azure.cli(["adopt", "infra", "--cloud", "local", ...flags, "--dry-run"]);
    expect([flags, code]).toEqual([flags, 2]);
  }
  expect(writes(await azure.traffic())).toEqual([]);
});

test("beside the thirty are vaults in the bin, groups that nobody uses, and groups that somebody does", async () => {
  const azure = await estate();
  const { vaults } = await (await connectedAzure(azure.directory)).vaults();
  const deleted = await all(vaults.listDeleted());
  expect(deleted.map(({ name }) => name).toSorted()).toEqual(Object.values(beside.deletedVaults).toSorted());
  const { resources } = await azure.snapshot();
  const inGroup = (name: string) =>
    Object.keys(resources).filter((id) => id.includes(`/resourcegroups/${name.toLowerCase()}/providers/`) && id.split("/").length === 9);
  for (const name of [...beside.emptyGroups, beside.nodeGroups.gone, beside.nodeGroups.unreadable]) expect(inGroup(name)).toEqual([]);
  for (const name of beside.issuersNobodyTrusts) expect(inGroup(`${name}-oidc`)).toHaveLength(1);
  expect(inGroup(beside.heldGroups.foreignInterface)).toHaveLength(1);
});

test("what was adopted can be destroyed, and nothing of others is", async () => {
  const azure = await estate();
  const before = (await azure.snapshot()).resources;
  for (const flags of Object.values(adoptable)) {
    exits(await azure.cli(["adopt", "infra", "--cloud", "local", ...flags, "--yes"]), 0);
    exits(await azure.cli(["destroy", "infra", "--cloud", "local", ...flags, "--yes"]), 0);
  }
  const after = (await azure.snapshot()).resources;
  const gone = Object.keys(before).filter((id) => !(id in after));
  expect(gone.length).toBeGreaterThan(60);
  expect(gone.filter((id) => !/\/(c|i|clusteri)(1[5-9]|2[0134])/.test(id))).toEqual([]);
  // The groups of others remain.
  for (const name of ["c16-group", "c24-managed-rg", "c24-customer-vnet-rg"])
    expect(Object.keys(after).some((id) => id.endsWith(`/${name}`))).toBe(true);
});

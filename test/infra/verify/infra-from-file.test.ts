/** The output file of create infra is enough to verify the infrastructure, whatever the flags were. */
import { expect, test } from "vitest";
import { existing, seedNetworks } from "../existing-networks.js";
import { ids } from "../../cli/demo-cluster.js";
import { deleteResources } from "../../harness/state-changes.js";
import { findings } from "../../verify/healthy-state.js";
import { infraState, createCommand } from "./infra-state.js";

const allExisting = `--vnet-id ${existing.vnet} --subnet-id ${existing.subnet} --network-security-group-id ${existing.nsg}`;

test.each([
  ["default flags", ""],
  ["hypershift's names", "--naming hypershift"],
  ["another address range, which the file does not contain", "--vnet-cidr 10.64.0.0/16 --subnet-cidr 10.64.8.0/24"],
  ["another location", "--location westeurope"],
  ["one resource group", "--single-resource-group"],
  ["one existing resource group", "--single-resource-group --resource-group-name mine"],
  ["an existing managed group", "--resource-group-name mine"],
  ["an existing security group", `--network-security-group-id ${existing.nsg}`],
  ["an existing subnet", `--subnet-id ${existing.subnet}`],
  ["everything existing", `${allExisting} --resource-group-name mine`],
])("%s: the file verifies it as the flags do", async (_what, flags) => {
  const state = await infraState(flags);
  await seedNetworks(state);
  await state.follow(createCommand(flags));
  const results = await state.verifyFromFile(flags);
  expect(findings(results)).toEqual([]);
  // No check is missing: the results are those with the flags.
  const rows = (each: typeof results) => each.map(({ check, state, evidence }) => `${check} ${state} ${evidence}`);
  expect(rows(results)).toEqual(rows(await state.verify()));
});

test("flags take precedence over the file", async () => {
  const state = await infraState();
  await state.follow(createCommand());
  expect(findings(await state.verifyFromFile("", { subnetCidr: "10.0.8.0/24" }))).toEqual([
    "resource-as-wanted/virtual network demo-demo-x7k2 failed",
  ]);
  expect(findings(await state.verifyFromFile("", { dnsZoneRgName: "nowhere" }))).toEqual([
    "resource-exists/public DNS zone hcp.example.com failed",
  ]);
});

test("a deleted network that the file names is missing, not an existing one that was passed", async () => {
  const state = await infraState();
  await state.follow(createCommand());
  await deleteResources(state, ids.vnet);
  const results = await state.verifyFromFile("");
  expect(findings(results)).toEqual(["resource-exists/virtual network demo-demo-x7k2 failed"]);
});

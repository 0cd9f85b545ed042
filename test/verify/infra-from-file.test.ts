/** The output file of create infra says enough to verify what it made, however it was made. */
import { expect, test, vi } from "vitest";
import { existing, seedNetworks } from "../cli/existing-networks.js";
import { ids } from "../cli/demo-cluster.js";
import { deleteResources } from "../harness/state-changes.js";
import { findings } from "./healthy-state.js";
import { infraState, made } from "./infra-state.js";

vi.setConfig({ testTimeout: 120_000 });

const allExisting = `--vnet-id ${existing.vnet} --subnet-id ${existing.subnet} --network-security-group-id ${existing.nsg}`;

test.each([
  ["as documented", ""],
  ["with hypershift's names", "--naming hypershift"],
  ["in another range, which the file does not tell", "--vnet-cidr 10.64.0.0/16 --subnet-cidr 10.64.8.0/24"],
  ["elsewhere", "--location westeurope"],
  ["in one group", "--single-resource-group"],
  ["in one group that was there", "--single-resource-group --resource-group-name mine"],
  ["in a managed group that was there", "--resource-group-name mine"],
  ["with a security group that was there", `--network-security-group-id ${existing.nsg}`],
  ["with a subnet that was there", `--subnet-id ${existing.subnet}`],
  ["with all that can be brought", `${allExisting} --resource-group-name mine`],
])("%s", async (_how, flags) => {
  const state = await infraState(flags);
  await seedNetworks(state);
  await state.follow(made(flags));
  const results = await state.verifyFromFile(flags);
  expect(findings(results)).toEqual([]);
  // Nothing was left out: the same rows as from the flags.
  const rows = (told: typeof results) => told.map(({ check, state, evidence }) => `${check} ${state} ${evidence}`);
  expect(rows(results)).toEqual(rows(await state.verify()));
});

test("what a flag says goes before the file", async () => {
  const state = await infraState();
  await state.follow(made());
  expect(findings(await state.verifyFromFile("", { subnetCidr: "10.0.8.0/24" }))).toEqual([
    "resource-as-wanted/virtual network demo-demo-x7k2 failed",
  ]);
  expect(findings(await state.verifyFromFile("", { dnsZoneRgName: "nowhere" }))).toEqual([
    "resource-exists/public DNS zone hcp.example.com failed",
  ]);
});

test("a network that the file names and that is gone is missing, and not brought", async () => {
  const state = await infraState();
  await state.follow(made());
  await deleteResources(state, ids.vnet);
  const results = await state.verifyFromFile("");
  expect(findings(results)).toEqual(["resource-exists/virtual network demo-demo-x7k2 failed"]);
});

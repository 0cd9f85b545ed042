/** `doctor management-cluster`: what a create with the same settings would find, without a write. */
import { stripVTControlCharacters as plain } from "node:util";
import { expect, test } from "vitest";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "../cli/expectations.js";

const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };

interface Checks {
  readonly results: readonly {
    readonly check: string;
    readonly subject: string;
    readonly state: string;
    readonly evidence?: string;
    readonly next?: string;
  }[];
}

async function doctor(azure: TestEmulator, code: number, ...flags: readonly string[]): Promise<Checks["results"]> {
  const args = ["doctor", "management-cluster", "--cloud", "local", "--name", "mgmt", "--output", "json", ...flags];
  return (JSON.parse(exits(await azure.cli(args, faster), code).stdout) as Checks).results;
}

test("all prerequisites are met, and nothing is written", async () => {
  const azure = await testEmulator();
  await azure.traffic();
  const checks = await doctor(azure, 0);
  expect(checks.filter(({ state }) => state !== "passed")).toEqual([]);
  const subjects = checks.map(({ subject }) => subject);
  expect(subjects).toEqual(expect.arrayContaining(["group mgmt", "aks", "public IP addresses in eastus"]));
  expect(subjects.filter((subject) => /storage|load balancer|zone/.test(subject))).toEqual([]);
  expect(await writesSince(azure)).toEqual([]);
});

test("what the region or the subscription lacks is a finding with a next action", async () => {
  const azure = await testEmulator();
  const failed = async (...flags: readonly string[]) => (await doctor(azure, 6, ...flags)).filter(({ state }) => state === "failed");
  expect(await failed("--kubernetes-version", "1.20")).toMatchObject([
    { check: "plan", subject: "aks", evidence: expect.stringContaining("1.20") as string },
  ]);
  const [feature, ...others] = await failed("--preset", "production");
  expect(others).toEqual([]);
  expect(feature?.evidence).toContain("Microsoft.Compute/EncryptionAtHost is NotRegistered");
  expect(feature?.next).toContain("az feature register --namespace Microsoft.Compute --name EncryptionAtHost");
});

test("flags after the cluster's kind are those of its create", async () => {
  const azure = await testEmulator();
  const missing = exits(await azure.cli(["doctor", "management-cluster", "--cloud", "local"], faster), 2);
  expect(plain(missing.stderr)).toMatch(/--name +is required/);
  const wrong = exits(
    await azure.cli(["doctor", "service-cluster", "--cloud", "local", "--name", "svc", "--user-pool", "zones=1,2"], faster),
    2,
  );
  expect(plain(wrong.stderr)).toContain("zones=1/2/3");
});

/** The preflight of every create: the doctor's quick checks. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/azure/clock.js";
import { preflight } from "../../src/run/create-preflight.js";
import { listingAzure } from "../harness/connected-azure.js";
import { planSteps } from "../../src/engine/plan.js";
import { ownGroup } from "../../src/steps/resource-groups.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits, refuses } from "../cli/expectations.js";
import { publicFile, testKey } from "../issuer/signing-keys.js";

const cloud = ["--cloud", "local", "--name", "demo"];

async function creates(azure: TestEmulator): Promise<readonly (readonly string[])[]> {
  const key = await publicFile(azure.path("keys"), testKey());
  return [
    ["create", "infra", ...demo, ...demoDomain],
    [
      "create",
      "identities",
      ...cloud,
      "--persistent-resource-group-name",
      "common",
      "--oidc-issuer-url",
      "https://demo.blob.core.windows.net/demo",
    ],
    ["create", "oidc-issuer", ...cloud, "--public-key-file", key],
    ["create", "all", ...demo, ...demoDomain, "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo")],
  ];
}

test("in a subscription that is disabled every create stops before the first write, with the message of the check; enabled again, it continues", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { subscriptionState: "Disabled" } });
  const commands = await creates(azure);
  for (const command of commands) {
    await refuses(
      azure,
      azure.cli([...command, "--yes"]),
      5,
      /error: subscription "Azure emulator" \(5b5c\S+\) is Disabled {2}\[ARO-CHECK-001\]/,
      "check subscription: the subscription exists",
      "use another --subscription",
      "`aro-hcp doctor --cloud local` checks every prerequisite",
    );
  }
  const [infra = []] = commands;
  const problems = exits(await azure.cli([...infra, "--dry-run", "--output", "json"]), 5);
  const advised = expect.arrayContaining(["`aro-hcp doctor --cloud local` checks every prerequisite"]) as string[];
  expect(JSON.parse(problems.stdout)).toMatchObject({ ok: false, failures: [{ code: "ARO-CHECK-001", next: advised }] });
  await azure.seed({ knobs: { subscriptionState: "Enabled" } });
  exits(await azure.cli([...infra, "--dry-run"]), 0);
});

test("a warning is one line, and the create continues; the preflight costs two requests", async () => {
  const azure = await testEmulator();
  const [infra = [], identities = []] = await creates(azure);
  await azure.seed({ providers: { "Microsoft.Network": "NotRegistered" }, knobs: { subscriptionState: "PastDue" } });
  const { stderr } = exits(await azure.cli([...infra, "--dry-run"]), 0);
  expect(stderr).toContain('warning: subscription "Azure emulator" is PastDue; pay the amount due before Azure disables the subscription');
  expect(stderr).toContain("warning: Microsoft.Network is NotRegistered; `aro-hcp doctor --cloud local --register` registers them");
  const asked = (await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
  expect(asked.filter((each) => each === `GET ${subscription}`)).toHaveLength(1);
  expect(asked.filter((each) => each === `GET ${subscription}/providers`)).toHaveLength(1);
  // Resources that are not created cause no warning.
  await azure.seed({ knobs: { subscriptionState: "Enabled" } });
  expect(exits(await azure.cli([...identities, "--dry-run"]), 0).stderr).not.toContain("warning:");
});

test("locks and permissions are read once, and not for a plan without changes", async () => {
  const { azure, listed: asked } = await listingAzure();
  const { subscriptionId } = azure.connection;
  const options = { subscriptionId, location: "eastus", owner: { name: "demo", infraId: "demo-x7k2" }, tags: {} };
  const steps = [ownGroup(azure, options, "group", "demo-group")];
  const port = { nodeVersion: process.versions.node, clock: systemClock };
  const { blockers } = preflight(azure, port, { parts: ["infra"], location: "eastus", steps });
  const authorization = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization`;
  const blocking = () => asked.filter((path) => path.startsWith(authorization)).toSorted();
  const { signal } = new AbortController();
  const plan = await planSteps(steps, { ...systemClock, concurrency: 1, signal, emit: () => undefined });
  expect(await blockers({ ...plan, changes: 0 })).toEqual([]);
  expect(blocking()).toEqual([]);
  expect(await blockers(plan)).toEqual([]);
  expect(await blockers(plan)).toEqual([]);
  expect(blocking()).toEqual([`${authorization}/locks`, `${authorization}/permissions`]);
});

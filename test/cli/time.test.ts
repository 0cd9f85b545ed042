/** All times come from the program's clock: no file, step or check reads the machine's clock. */
import { expect, test } from "vitest";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { cli, type CliResult } from "../harness/cli.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";

const dayMs = 86_400_000;

function daysAhead(days: number): SystemClock {
  return { ...systemClock, now: () => new Date(systemClock.now().getTime() + days * dayMs) };
}

const set = ["--cloud", "local", "--name", "demo", "--persistent-resource-group-name", "common"];
const create = ["create", "identities", ...set, "--oidc-issuer-url", "https://issuer.example.com/demo"];

function runs(azure: TestEmulator, args: readonly string[], clock?: SystemClock): Promise<CliResult> {
  const env = { HOME: azure.path("."), LANG: "C.UTF-8", ARO_HCP_LOCAL_DIR: azure.directory };
  return cli(args, { env, ...(clock && { clock }) });
}

test("certificates expire as the clock advances, and are then replaced", async () => {
  const azure = await testEmulator();
  expect(await runs(azure, [...create, "--yes"])).toMatchObject({ code: 0 });
  expect((await runs(azure, ["show", "identities", ...set])).stdout).not.toContain("expires soon");
  expect(await runs(azure, ["show", "identities", ...set], daysAhead(350))).toMatchObject({
    code: 3,
    stdout: expect.stringContaining("expires soon"),
  });
  expect((await runs(azure, ["show", "identities", ...set], daysAhead(400))).stdout).toContain("expired");
  const plan = (await runs(azure, [...create, "--dry-run"], daysAhead(400))).stderr;
  expect(plan).toContain("it has expired");
  expect((await runs(azure, [...create, "--dry-run"])).stderr).not.toContain("it has expired");
});

test.each([
  ["2039", []],
  ["2099", ["--validity-months", "60"]],
])("a set that is created in %s has the dates of its certificates, and is as wanted", async (year, flags) => {
  const azure = await testEmulator();
  const offset = Date.parse(`${year}-06-01T00:00:00Z`) - systemClock.now().getTime();
  const clock = daysAhead(offset / dayMs);
  expect(await runs(azure, [...create, ...flags], clock)).toMatchObject({ code: 0 });
  const shown = await runs(azure, ["show", "identities", ...set, "--output", "json"], clock);
  expect(shown).toMatchObject({ code: 0 });
  const expected = String(Number(year) + (flags.length === 0 ? 1 : 5));
  for (const { expiresOn } of (JSON.parse(shown.stdout) as { controlPlane: { expiresOn: string }[] }).controlPlane)
    expect(expiresOn.slice(0, 4)).toBe(expected);
  const again = await runs(azure, [...create, ...flags, "--dry-run", "--exit-code"], clock);
  expect(again, again.stderr).toMatchObject({ code: 0 });
});

test("a certificate that expires after 2105 is refused by name", async () => {
  const azure = await testEmulator();
  const offset = Date.parse("2099-06-01T00:00:00Z") - systemClock.now().getTime();
  const run = await runs(azure, [...create, "--validity-months", "120"], daysAhead(offset / dayMs));
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain("can only write dates until 2106-02-07");
});

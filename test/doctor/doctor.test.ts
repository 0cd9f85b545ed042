/** `doctor` as a command: its arguments, formats and exit codes. */
import { mkdir, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/state/well-known.js";
import { demo, realTime, testEmulator, writes } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";
import { allActions, application, client, customRole, given, roleIds } from "../verify/other-client.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

test("doctor reports problems as text, JSON and exit code, with few requests, and writes only with --register", async () => {
  const azure = await testEmulator();
  const all = ["doctor", ...demo, "--dns-zone-rg-name", "dns", "--base-domain", "hcp.example.com"];
  const healthy = await azure.cli(all);
  expect(healthy).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ passed, 1 skipped\n$/) as string });
  const traffic = await azure.traffic();
  expect(traffic.length).toBeLessThanOrEqual(52);
  expect(writes(traffic)).toEqual([]);

  await azure.seed({ providers: { "Microsoft.Network": "NotRegistered" }, knobs: { subscriptionState: "Disabled" } });
  const unhealthy = await azure.cli([...all, "--output", "json"]);
  expect(unhealthy.code).toBe(6);
  expect(JSON.parse(unhealthy.stdout)).toMatchObject({ ok: false, command: "doctor", counts: { failed: 1, warning: 1 } });
  // Only a warning.
  await azure.seed({ knobs: { subscriptionState: "Enabled" } });
  expect((await azure.cli(["doctor", "infra", "--cloud", "local", "--only", "providers"])).code).toBe(3);
  await azure.traffic();
  expect((await azure.cli(["doctor", "infra", "--cloud", "local", "--register"])).code).toBe(0);
  expect(
    writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname.split("/").slice(3).join("/")}`),
  ).toEqual(["POST providers/Microsoft.Network/register"]);
});

test("without any setting, the machine is checked", async () => {
  const azure = await testEmulator();
  exits(await azure.cli(["doctor", "--only", "node-version"]), 0);
});

test("--resource-group-name is the same group as in the create command of the same name", async () => {
  const azure = await testEmulator();
  const corp = ["--resource-group-name", "corp"];
  const infra = await azure.cli(["doctor", "infra", ...demo, ...corp, "--only", "managed-group"]);
  expect(infra).toMatchObject({ code: 6, stdout: expect.stringContaining('resource group "corp" does not exist') as string });
  const identities = await azure.cli(["doctor", "identities", ...demo, ...corp, "--only", "rights"]);
  expect(identities).toMatchObject({ code: 0, stdout: expect.stringContaining("group corp") as string });
});

test("the roles of a cluster are checked without its identities: doctor takes no identity files", async () => {
  const azure = await testEmulator();
  const all = ["doctor", "all", ...demo, "--dns-zone-rg-name", "dns", "--base-domain", "hcp.example.com"];
  exits(await azure.cli([...all, "--assign-custom-hcp-roles", "--only", "rights"]), 0);
});

test("a named cluster is refused without what its create requires", async () => {
  const azure = await testEmulator();
  const plan = (...args: readonly string[]) => azure.cli(["doctor", ...args, ...demo, "--only", "plan"]);
  expect(exits(await plan("infra"), 6).stdout).toContain("the create is refused without --base-domain");
  expect(exits(await plan(), 6).stdout).toContain("the create is refused without --base-domain and --dns-zone-rg-name");
  exits(await plan("infra", "--base-domain", "hcp.example.com"), 0);
  exits(await azure.cli(["doctor", "--cloud", "local", "--only", "plan"]), 0);
});

test("an unknown check or argument is wrong usage", async () => {
  const azure = await testEmulator();
  const check = await azure.cli(["doctor", "--cloud", "local", "--only", "clok"]);
  expect(check).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/"clok" is not one of \d+ choices; did you mean clock/) as string,
  });
  const word = await azure.cli(["doctor", "everything", "--cloud", "local"]);
  expect(word).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"everything" is not one of all, infra, identities, oidc-issuer') as string,
  });
});

test("with a role of exactly the actions that the doctor requires, create all succeeds; without one of them, it fails for that action", async () => {
  const azure = await testEmulator({ env: realTime });
  const [output, credentials] = [azure.path("demo"), azure.path("creds.json")];
  await mkdir(output);
  await placePrivateKey(output, testKey());
  const { subscriptionId, tenantId } = wellKnown;
  await writeFile(credentials, JSON.stringify({ subscriptionId, tenantId, ...client }), { mode: 0o600 });
  for (const document of [application(), given(roleIds.custom)]) await azure.seed(document);
  const create = () =>
    azure.cli([
      ...["create", "all", ...demo, "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"],
      // With a NAT gateway, create uses all types of the table except for a route table and a prefix of addresses.
      ...["--egress", "nat-gateway", "--azure-creds", credentials, "--output-dir", output, "--yes"],
    ]);
  // A first run does not read resources that do not exist yet.
  // The role that create assigns to the caller on the account (Storage Blob Data Contributor) also allows containers once it has taken effect.
  const unused = ["/read", "/containers/write", "/routeTables/join/action", "/publicIPPrefixes/join/action"];
  const writing = allActions.filter((action) => !unused.some((end) => action.endsWith(end)));
  const seed = Number(process.env["ARO_HCP_TEST_SEED"] ?? Date.now() % 1000);
  const missing = writing[seed % writing.length] ?? "";
  await azure.seed(customRole(allActions.filter((action) => action !== missing)));
  const refused = await create();
  expect(refused.code, `seed ${String(seed)}: ${missing}`).not.toBe(0);
  expect(refused.stderr.replaceAll(/\s+/g, " ").toLowerCase(), `seed ${String(seed)}`).toContain(missing.toLowerCase());
  await azure.seed(customRole(allActions));
  {
    const r = await create();
    expect(r.code, r.stderr).toBe(0);
  }
  // A second run requires no other action.
  {
    const r = await create();
    expect(r.code, r.stderr).toBe(0);
  }
});

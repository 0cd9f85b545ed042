/** The key that encrypts etcd in a managed HSM, which has an access control of its own: created, shown, verified, recovered. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, writes, type TestEmulator } from "../harness/test-emulator.js";
import { subscription } from "./demo-cluster.js";
import { exits, refuses } from "./expectations.js";
import { createSet, setFlags } from "./identity-sets.js";
import { assignLocally, localAssignment, type LocalAssignments } from "./local-roles.js";

const caller = wellKnown.clientPrincipalId;
const hsm = ["--managed-hsm-name", "demo-hsm"];
const key = (azure: TestEmulator, verb: string, flags: readonly string[] = hsm) =>
  azure.cli([verb, "encryption-key", ...setFlags, ...flags]);
/** The caller administers the HSM, and has no role for keys. */
async function withHsm(): Promise<TestEmulator> {
  const azure = await testEmulator();
  const id = `${subscription}/resourceGroups/hsm/providers/Microsoft.KeyVault/managedHSMs/demo-hsm`;
  const group = { [`${subscription}/resourceGroups/hsm`]: { location: "eastus" } };
  await azure.seed({ resources: { ...group, [id]: { location: "eastus", properties: { initialAdminObjectIds: [caller] } } } });
  exits(await createSet(azure, ["--enable-kms", "--output-file", azure.path("identities.json")]), 0);
  return azure;
}

test("a key in a managed HSM is created with its local role, shown, and used by verify", async () => {
  const azure = await withHsm();
  await refuses(
    azure,
    key(azure, "create"),
    5,
    'managed HSM "demo-hsm" denies access to its keys',
    /--role 'Managed HSM Crypto User' .* --scope \/keys/,
  );
  await assignLocally(azure, "demo-hsm", (before) => [...before, localAssignment(caller, "cryptoUser", "/keys")]);
  await azure.traffic();
  const path = azure.path("encryption-key.json");
  const { stdout } = exits(await key(azure, "create", [...hsm, "--output-file", path]), 0);
  const { activeKeyID } = JSON.parse(await readFile(path, "utf8")) as { activeKeyID: string };
  expect(stdout).toBe(`${activeKeyID}\n`);
  expect(activeKeyID).toMatch(/^https:\/\/demo-hsm\.managedhsm\.azure\.net\/keys\/demo-etcd-encryption\/[0-9a-f]{32}$/);
  const sent = writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(sent).toEqual([
    "POST /keys/demo-etcd-encryption/create",
    expect.stringMatching(/^PUT \/keys\/demo-etcd-encryption\/providers\/Microsoft\.Authorization\/roleAssignments\/[0-9a-f-]{36}$/),
  ]);
  exits(await key(azure, "create"), 0);
  expect(writes(await azure.traffic())).toEqual([]);
  const shown = JSON.parse(exits(await key(azure, "show", [...hsm, "--output", "json"]), 0).stdout) as { versions: object[] };
  expect(shown.versions).toMatchObject([{ id: activeKeyID, state: "active" }]);

  const verify = async () => {
    const identities = ["--managed-identities-file", azure.path("identities.json"), "--encryption-key-id", activeKeyID];
    const { stdout: output } = await azure.cli(["verify", "identities", "--cloud", "local", ...identities, "--output", "json"]);
    const { results } = JSON.parse(output) as { results: { check: string; state: string }[] };
    return results.filter(({ check }) => check.startsWith("kms-")).map(({ check, state }) => `${check} ${state}`);
  };
  expect(await verify()).toEqual(["kms-key passed", "kms-role passed", "kms-use passed"]);

  // The role whose name fits allows only to wrap keys, but HyperShift encrypts and decrypts.
  const kmsOnly = (before: LocalAssignments) => before.find(({ scope }) => scope === "/keys/demo-etcd-encryption");
  await assignLocally(azure, "demo-hsm", (before) => [
    ...before.filter((one) => one !== kmsOnly(before)),
    localAssignment(kmsOnly(before)?.principalId ?? "", "serviceEncryptionUser", "/keys"),
  ]);
  expect(await verify()).toEqual(["kms-key passed", "kms-role failed", "kms-use skipped"]);
  exits(await key(azure, "create"), 0);
  expect(await verify()).toEqual(["kms-key passed", "kms-role passed", "kms-use passed"]);

  await changeState(azure, ({ managedHsms = {} }) => {
    for (const { content } of Object.values(managedHsms)) delete content.keys;
  });
  expect((await verify())[0]).toBe("kms-key failed");
});

test("a key in a managed HSM that is soft-deleted is recovered, by a principal that may", async () => {
  const azure = await withHsm();
  await assignLocally(azure, "demo-hsm", (before) => [...before, localAssignment(caller, "cryptoUser", "/keys")]);
  const { stdout } = exits(await key(azure, "create"), 0);
  await changeState(azure, ({ managedHsms = {} }) => {
    for (const { content } of Object.values(managedHsms))
      for (const each of Object.values(content.keys ?? {})) each.deleted = { at: 0, busyUntil: 0 };
  });
  const refused = exits(await key(azure, "create"), 5);
  expect(refused.stderr).toMatch(/denies access to its roles and deleted keys[\s\S]*--role 'Managed HSM Crypto Officer' .* --scope \//);
  await assignLocally(azure, "demo-hsm", (before) => [...before, localAssignment(caller, "cryptoOfficer", "/")]);
  expect(exits(await key(azure, "create"), 0).stdout).toBe(stdout);
});

test("a managed HSM beside a vault is refused, and so is a name that no HSM can have", async () => {
  const azure = await testEmulator();
  await refuses(azure, key(azure, "create", [...hsm, "--key-vault-name", "kv-of-demo"]), 2, "cannot be combined with --key-vault-name");
  await refuses(azure, key(azure, "create", ["--managed-hsm-name", "a--b"]), 2, "--managed-hsm-name");
});

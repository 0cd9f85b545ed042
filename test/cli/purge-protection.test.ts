/** `--purge-protection`: policies can demand it of a vault, and Azure never takes it back. */
import { expect, test } from "vitest";
import { resource } from "../harness/state-changes.js";
import { testEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "./expectations.js";
import { createSet, destroySet, vaultId } from "./identity-sets.js";

const named = ["--key-vault-name", "kv-of-demo"];
const vault = vaultId("kv-of-demo");

test.each([
  ["with the vault", [...named, "--purge-protection"]],
  ["on a vault that exists", named],
])("a create sets it %s, a rerun without it keeps it, and a destroy with --purge leaves the vault soft-deleted", async (_what, first) => {
  const azure = await testEmulator();
  exits(await createSet(azure, first), 0);
  const { stderr } = exits(await createSet(azure, [...named, "--purge-protection"]), 0);
  if (first === named) expect(stderr).toContain("enablePurgeProtection");
  expect((await resource(azure, vault))?.properties).toMatchObject({ enablePurgeProtection: true, enableRbacAuthorization: true });
  await azure.traffic();
  exits(await createSet(azure, named), 0);
  exits(await createSet(azure, [...named, "--purge-protection"]), 0);
  expect(await writesSince(azure)).toEqual([]);

  exits(await destroySet(azure, [...named, "--purge"]), 0);
  expect(await resource(azure, vault)).toBeUndefined();
  expect(Object.keys((await azure.snapshot()).resources).join(" ")).toMatch(/deletedvaults\/kv-of-demo/i);
  exits(await createSet(azure, named), 0);
  expect((await resource(azure, vault))?.properties).toMatchObject({ enablePurgeProtection: true });
});

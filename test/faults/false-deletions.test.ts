/** Deletions that something else than Azure confirmed: `destroy all` says what is left, and a rerun deletes it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { placePrivateKey, testKey } from "../cli/signing-keys.js";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { always, run } from "./fault-runs.js";

const destroyAll = ["destroy", "all", ...demo, "--purge", "--yes"];

let before: Awaited<ReturnType<TestEmulator["snapshot"]>>;
let created: TestEmulator;
beforeAll(async () => {
  created = await testEmulator(afterAll);
  before = await created.snapshot();
  const output = created.path("demo");
  await placePrivateKey(output, testKey());
  const flags = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", output];
  await run(created, ["create", "all", ...demo, ...flags], 0);
});

const left = "ARO-DELETE-003";
const notFromAzure = "ARO-NET-003";

/** The path of the deletion, and how the first run fails. */
const deletions: readonly (readonly [what: string, path: string, code: string])[] = [
  ["the group of the identities", "/resourceGroups/demo-common$", left],
  ["the group of the issuer", "/resourceGroups/demo-oidc$", left],
  ["the managed group", "/resourceGroups/demo-demo-x7k2$", left],
  ["the storage account", "/storageAccounts/[^/]+$", left],
  ["the key vault", "/vaults/[^/]+$", left],
  ["the managed identities", "/userAssignedIdentities/[^/]+$", left],
  ["the role assignments", "/roleAssignments/[^/]+$", left],
  ["the applications", "/v1.0/applications/[^/]+$", notFromAzure],
  ["the deleted applications", "/v1.0/directory/deletedItems/[^/]+$", notFromAzure],
];

test.each(deletions)("the deletion of %s had no effect", async (_what, path, code) => {
  const azure = await testEmulator(undefined, created.directory);
  const faults = [{ method: "DELETE", path, ...always, answer: { status: 200 } }];
  const { stderr } = await run(azure, destroyAll, 1, { faults });
  expect(stderr).toContain(code);
  await run(azure, destroyAll, 0);
  expect(await azure.snapshot()).toEqual(before);
});

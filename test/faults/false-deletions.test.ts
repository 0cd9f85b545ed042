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

/** Independent deletions share a run: their paths, and what the run says at its end. */
const deletions: readonly (readonly [what: string, paths: readonly string[], says: readonly RegExp[]])[] = [
  [
    "groups and role assignments",
    ["/resourceGroups/demo-(common|oidc|demo-x7k2)$", "/roleAssignments/[^/]+$"],
    [/ARO-DELETE-003/, /\/demo-common\b/, /\/demo-oidc\b/, /\/demo-demo-x7k2\b/, /\/roleAssignments\//i],
  ],
  [
    "what the groups contain",
    ["/(storageAccounts|vaults|userAssignedIdentities)/[^/]+$"],
    [/ARO-DELETE-003/, /\/storageAccounts\/demo\b/i, /\/vaults\/kv-demo/i, /\/userAssignedIdentities\/azure-disk-MI-demo/i],
  ],
  ["applications", ["/v1.0/applications/[^/]+$"], [/ARO-NET-003/]],
  ["deleted applications", ["/v1.0/directory/deletedItems/[^/]+$"], [/ARO-NET-003/]],
];

test.each(deletions)("the deletions of %s had no effect", async (_what, paths, says) => {
  const azure = await testEmulator(undefined, created.directory);
  const faults = paths.map((path) => ({ method: "DELETE", path, ...always, answer: { status: 200 } }));
  const { stderr } = await run(azure, destroyAll, 1, { faults });
  for (const words of says) expect(stderr).toMatch(words);
  await run(azure, destroyAll, 0);
  expect(await azure.snapshot()).toEqual(before);
});

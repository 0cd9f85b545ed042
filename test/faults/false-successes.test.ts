/** Successes that something else than Azure confirmed: create reads the resource again; destroy says what is left, and a rerun deletes it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { placePrivateKey, publicFile, testKey } from "../issuer/signing-keys.js";
import { demoAccount } from "../harness/demo-issuer.js";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { always, run } from "./fault-runs.js";

const destroyAll = ["destroy", "all", ...demo, "--purge", "--yes"];

let before: Awaited<ReturnType<TestEmulator["snapshot"]>>;
let created: TestEmulator;
beforeAll(async () => {
  created = await testEmulator({ atEnd: afterAll });
  before = await created.snapshot();
  const output = created.path("demo");
  await placePrivateKey(output, testKey());
  const flags = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", output];
  await run(created, ["create", "all", ...demo, ...flags], 0);
});

test("an operation that ends without its result is looked for in the resource", async () => {
  const azure = await testEmulator();
  const publicKey = ["--public-key-file", await publicFile(azure.path("keys"), testKey())];
  const faults = [{ method: "GET", path: "/asyncoperations/", answer: { status: 200 } }];
  const env = { ARO_HCP_LOCAL_LATENCY: "recorded" };
  const { stderr } = await run(azure, ["create", "oidc-issuer", "--cloud", "local", "--name", "demo", ...publicKey], 0, { faults, env });
  expect(stderr).toContain("reading it again");
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
    // What is still there is not what others created meanwhile.
    [
      /ARO-DELETE-003/,
      /^(?![^]*ARO-OWN-004)/,
      /"demo-common" still contains \d+ resources/,
      new RegExp(`/storageAccounts/${demoAccount}\\b`, "i"),
      /\/vaults\/kv-demo/i,
      /\/userAssignedIdentities\/azure-disk-MI-demo/i,
    ],
  ],
  ["applications", ["/v1.0/applications/[^/]+$"], [/ARO-NET-003/]],
  ["deleted applications", ["/v1.0/directory/deletedItems/[^/]+$"], [/ARO-NET-003/]],
];

test.each(deletions)("the deletions of %s had no effect", async (_what, paths, says) => {
  const azure = await testEmulator({ prepared: created.directory });
  const faults = paths.map((path) => ({ method: "DELETE", path, ...always, answer: { status: 200 } }));
  const { stderr } = await run(azure, destroyAll, 1, { faults });
  for (const words of says) expect(stderr).toMatch(words);
  await run(azure, destroyAll, 0);
  expect(await azure.snapshot()).toEqual(before);
});

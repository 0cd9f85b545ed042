/** What a plan says about the signing keys of an issuer, which are deleted with its storage account. */
import { expect, test } from "vitest";
import { exits } from "../../cli/expectations.js";
import { publicFile, testKey, type TestKey } from "../signing-keys.js";
import { demoAccount } from "../../harness/demo-issuer.js";
import { setProperties } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";

const account = `/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/demo-oidc/providers/Microsoft.Storage/storageAccounts/${demoAccount}`;
const named = ["--cloud", "local", "--name", "demo"] as const;

async function publish(azure: TestEmulator, key: TestKey): Promise<void> {
  const file = await publicFile(azure.path("keys"), key);
  exits(await azure.cli(["create", "oidc-issuer", ...named, "--public-key-file", file, "--yes"]), 0);
}

test("the plan of a destroy names every signing key that is lost with the issuer, whoever published it", async () => {
  const azure = await testEmulator();
  const [mine, theirs] = [testKey(), testKey()];
  await publish(azure, mine);
  const destroyIssuer = ["destroy", "oidc-issuer", ...named, "--dry-run"];
  const alone = exits(await azure.cli(destroyIssuer), 0);
  expect(plain(alone.stderr)).toContain(`storage account ${demoAccount}: signing key ${mine.kid} will be deleted with it`);
  await publish(azure, theirs);
  for (const command of [destroyIssuer, ["destroy", "all", ...named, "--infra-id", "demo-x7k2", "--dry-run"]]) {
    const { stderr } = exits(await azure.cli(command), 0);
    expect(plain(stderr)).toContain(`storage account ${demoAccount}: signing keys ${mine.kid}, ${theirs.kid} will be deleted with it`);
  }
  const { stdout } = exits(await azure.cli([...destroyIssuer, "--output", "json"]), 0);
  expect(JSON.parse(stdout)).toMatchObject({
    removed: expect.arrayContaining([expect.objectContaining({ why: expect.stringContaining(theirs.kid) })]),
  });
});

test("an issuer whose keys are not public is destroyed without their names", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await publish(azure, testKey());
  await setProperties(azure, account, { allowBlobPublicAccess: false });
  const { stderr } = exits(await azure.cli(["destroy", "oidc-issuer", ...named, "--yes"]), 0);
  expect(stderr).not.toContain("signing key");
  expect(await azure.snapshot()).toEqual(before);
});

test.each([
  ["a page in HTML", { answer: { status: 200, body: "<html></html>", headers: { "content-type": "text/html" } } }],
  ["an error of a proxy", { answer: { status: 503, body: "<html></html>", headers: { "content-type": "text/html" } } }],
  ["no answer", { reset: true }],
])("%s in place of the published keys does not prevent a destroy", async (_what, answer) => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await publish(azure, testKey());
  const faults = [{ method: "GET", path: "/openid/v1/jwks$", times: 1000, ...answer }];
  exits(await azure.cli(["destroy", "oidc-issuer", ...named, "--yes"], { faults }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

function plain(text: string): string {
  return text.replace(/\s+/g, " ");
}

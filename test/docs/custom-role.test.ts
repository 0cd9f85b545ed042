/** A custom role with the actions that docs/doctor.md lists is enough for each create: really run, as a principal with that role and no other. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clusterFlags, setFlags, wholeFlags } from "../../tools/demo-cluster.js";
import { wellKnown } from "../../src/emulator/index.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";
import { realTime, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { application, client, customRole, given, roleIds } from "../verify/other-client.js";
import { readPageText } from "./markdown-pages.js";

const rows = [...readPageText("docs/doctor.md").matchAll(/^\| `(Microsoft\.[^`]+)` \| (\w*) \| (\w*) \| (\w*) \|$/gm)];
const listed = (column: (row: RegExpExecArray) => unknown) => rows.filter(column).map(([, action = ""]) => action);

const issuerUrl = "https://demo1e0571.blob.core.windows.net/demo";

const creates: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["create all", wholeFlags, listed(() => true)],
  ["create infra", wholeFlags, listed(([, , infra]) => infra)],
  ["create identities", [...setFlags, "--oidc-issuer-url", issuerUrl], listed(([, , , identities]) => identities)],
  ["create oidc-issuer", clusterFlags.slice(0, 4), listed(([, , , , issuer]) => issuer)],
];

/** The flags of a sign-in with a role of these actions, and no other. */
async function signedInWith(azure: TestEmulator, actions: readonly string[]): Promise<string[]> {
  for (const document of [application(), given(roleIds.custom), customRole(actions)]) await azure.seed(document);
  const credentials = azure.path("creds.json");
  const { subscriptionId, tenantId } = wellKnown;
  await writeFile(credentials, JSON.stringify({ subscriptionId, tenantId, ...client }), { mode: 0o600 });
  return ["--azure-creds", credentials, "--yes"];
}

test.each(creates)("%s needs no more than its actions", async (command, flags, actions) => {
  expect(actions.length).toBeGreaterThan(5);
  const azure = await testEmulator({ env: realTime });
  const signIn = await signedInWith(azure, actions);
  await placePrivateKey(azure.path("demo"), testKey());
  await azure.cli(["create", "key-pair", "--output-dir", azure.path("demo")]);
  const output = ["create all", "create oidc-issuer"].includes(command) ? ["--output-dir", azure.path("demo")] : [];
  const { code, stderr } = await azure.cli([...command.split(" "), ...flags, ...output, ...signIn]);
  expect(code, stderr).toBe(0);
  if (command !== "create identities") return;
  // docs/least-privilege.md: a rotation needs no more than permission to read, and what the create has assigned.
  await azure.seed(customRole(["*/read"]));
  const rotated = await azure.cli(["rotate", "credentials", ...setFlags, "--component", "cpo", ...signIn]);
  expect(rotated.code, rotated.stderr).toBe(0);
});

/** An output replaces only an earlier output of its kind: a mistyped path must not cost a private key. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createIamFlags, createManagementFlags, createZoneFlags, setFlags } from "../../tools/demo-cluster.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";
import { refuses } from "./expectations.js";
import { controlPlane, fileOf } from "./identities.js";
import { testKey } from "./signing-keys.js";

const issuer = ["--oidc-issuer-url", "https://issuer.example.com/demo"];
const outputs: readonly (readonly [flag: `--${string}`, command: readonly string[]])[] = [
  ["--output-file", ["create", "infra", ...demo, ...demoDomain]],
  ["--output-file", ["create", "identities", ...setFlags, ...issuer]],
  ["--managed-identities-output-file", ["create", "identities", ...setFlags, ...issuer]],
  ["--output-file", ["create", "iam", ...createIamFlags]],
  ["--output-file", ["create", "encryption-key", ...setFlags]],
  ["--output-file", ["create", "management-cluster", ...createManagementFlags]],
  ["--output-file", ["create", "dns-zone", ...createZoneFlags]],
];
const contents = { "a private key": testKey().privatePem, "a document of others": '{"a":1}\n' };

test.each(outputs.flatMap(([flag, command]) => Object.entries(contents).map(([what, content]) => [flag, command, what, content] as const)))(
  "%s of %j does not replace %s",
  async (flag, command, _what, content) => {
    const azure = await testEmulator();
    const path = azure.path("existing");
    await writeFile(path, content);
    await refuses(azure, azure.cli([...command, flag, path]), 2, "ARO-FILE-004", "only an earlier output is replaced");
    expect(await readFile(path, "utf8")).toBe(content);
  },
);

test("manifests do not replace it either", async () => {
  const azure = await testEmulator();
  const path = azure.path("existing");
  await writeFile(path, contents["a private key"]);
  const reader = ["--key-vault-user-client-id", "00000000-0000-4000-8000-000000000001", "--managed-identities-file"];
  const render = [
    "render",
    "secret-provider-classes",
    "--name",
    "demo",
    ...reader,
    await fileOf(azure, "cp.json", controlPlane),
    "--output-file",
    path,
  ];
  await refuses(azure, azure.cli(render), 2, "ARO-FILE-004");
  expect(await readFile(path, "utf8")).toBe(contents["a private key"]);
});

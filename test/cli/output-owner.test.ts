/** An output file of another cluster, identity set or issuer is not overwritten; one of the same is. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "./expectations.js";
import { demoIssuer } from "../harness/demo-issuer.js";

const local = ["--cloud", "local", "--name", "demo"];
const domain = ["--base-domain", "hcp.example.com", "--yes"];
const infraOf = (infraID: string) => JSON.stringify({ infraID, clusterName: "demo" });

test("the output file of another cluster is refused before anything is changed; that of the cluster is overwritten", async () => {
  const azure = await testEmulator();
  const file = azure.path("infra.json");
  const create = (name: string, infraId: string) =>
    azure.cli(["create", "infra", "--cloud", "local", "--name", name, "--infra-id", infraId, ...domain, "--output-file", file]);
  exits(await create("demo", "demo-x7k2"), 0);
  const before = await readFile(file, "utf8");
  await azure.traffic();
  expect(exits(await create("demo", "two-b"), 2).stderr).toMatch(/infra\.json belongs to demo-x7k2 {2}\[ARO-FILE-004\]/);
  expect(exits(await create("other", "demo-x7k2"), 2).stderr).toContain("belongs to cluster demo, infra ID demo-x7k2");
  expect(await writesSince(azure)).toEqual([]);
  expect(await readFile(file, "utf8")).toBe(before);
  exits(await create("demo", "demo-x7k2"), 0);
});

describe("create all into a directory", () => {
  const all = [...domain, "--dns-zone-rg-name", "dns", "--dry-run"];
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ["infra.json", infraOf("demo-x7k2"), "contains the files of demo-x7k2"],
    ["openid-configuration", '{"issuer":"https://other.blob.core.windows.net/other"}', "contains the files of issuer https://other"],
    ["infra.json", infraOf("two-b"), undefined],
    ["infra.json", "not an output file", undefined],
    ["openid-configuration", JSON.stringify({ issuer: demoIssuer }), undefined],
  ];
  test.each(cases)("with %s: %s", async (name, content, problem) => {
    const azure = await testEmulator();
    const directory = azure.path("demo");
    await mkdir(directory);
    await writeFile(join(directory, name), content);
    const run = await azure.cli(["create", "all", ...local, "--infra-id", "two-b", "--output-dir", directory, ...all]);
    const { stderr } = exits(run, problem === undefined ? 0 : 2);
    if (problem !== undefined) expect(stderr).toContain(problem);
    expect(await readdir(directory)).toEqual([name]);
  });
});

test("the issuer document of another set is not overwritten", async () => {
  const azure = await testEmulator();
  const directory = azure.path("keys");
  exits(await azure.cli(["create", "key-pair", "--output-dir", directory]), 0);
  await writeFile(join(directory, "openid-configuration"), '{"issuer":"https://other.blob.core.windows.net/other"}');
  const { stderr } = exits(await azure.cli(["create", "oidc-issuer", ...local, "--output-dir", directory, "--yes"]), 2);
  expect(stderr).toContain("contains the files of issuer https://other.blob.core.windows.net/other");
});

describe("an identity file", () => {
  const key = (name: string) => ({ managedIdentitiesKeyVault: { name } });
  const set = ["--resource-group-name", "common", "--oidc-issuer-url", "https://issuer.example.com/demo", "--key-vault-name", "kv-of-demo"];
  test.each([
    ["--output-file", { controlPlane: key("kv-of-other") }, 2],
    ["--managed-identities-output-file", key("kv-of-other"), 2],
    ["--output-file", { controlPlane: key("KV-of-demo") }, 0],
  ])("%s %j ends with %s", async (flag, content, code) => {
    const azure = await testEmulator();
    const file = azure.path("ids.json");
    await writeFile(file, JSON.stringify(content));
    const { stderr } = exits(await azure.cli(["create", "identities", ...local, ...set, flag, file, "--dry-run"]), code);
    if (code !== 0) expect(stderr).toContain(`contains the identities in vault kv-of-other, not in kv-of-demo`);
  });
});

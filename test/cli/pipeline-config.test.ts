/** One configuration file serves a whole pipeline, and the committed schema of configuration files accepts it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { strictValidator } from "../harness/printed-document.js";
import { realTime, testEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";
import { fileOf } from "../identities/cli/identities.js";

const pipeline = (directory: string) => ({
  $schema: "aro-hcp.schema.json",
  cloud: "local",
  name: "demo",
  infraId: "demo-x7k2",
  baseDomain: "hcp.example.com",
  dnsZoneRgName: "dns",
  persistentResourceGroupName: "demo-common",
  output: "json",
  "create all": { outputDir: directory, userTags: { team: "platform" } },
  "verify infra": { inputDir: directory },
  "verify identities": { inputDir: directory, output: "text" },
  "rotate credentials": { component: ["cpo"] },
  "render hosted-cluster": { inputDir: directory, releaseImage: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  "destroy all": { timeout: "30m" },
});

const isConfig = strictValidator("config");

test("creates, verifies, rotates, renders and destroys with one file and no other setting", { timeout: 600_000 }, async () => {
  const azure = await testEmulator({ env: realTime });
  const document = pipeline(azure.path("demo"));
  expect(isConfig(document), JSON.stringify(isConfig.errors)).toBe(true);
  const config = await fileOf(azure, "aro.yaml", stringify(document));
  const run = async (...words: string[]) => exits(await azure.cli([...words, "--config", config]), 0).stdout;
  const created = JSON.parse(await run("create", "all", "--yes")) as { identities: { controlPlane: object }; issuerURL: string };
  expect(created.identities.controlPlane).toHaveProperty("ingress");
  expect(JSON.parse(await run("verify", "infra"))).toMatchObject({ ok: true, command: "verify infra" });
  expect(await run("verify", "identities")).toMatch(/\d+ passed/);
  expect(JSON.parse(await run("rotate", "credentials", "--yes"))).toMatchObject({ credentials: [{ component: "cpo" }] });
  expect(await run("render", "hosted-cluster")).toContain("kind: HostedCluster");
  expect(JSON.parse(await run("destroy", "all", "--purge", "--yes"))).toMatchObject({ ok: true, leftovers: [] });
});

test("the schema refuses what the program refuses, and accepts every kind of value", () => {
  const accepts = (document: unknown): boolean => isConfig(document);
  expect(
    accepts({ resourceGroupTags: { team: "a" }, disableClusterCapabilities: ["ImageRegistry"], concurrency: 8, timeout: "1h30m" }),
  ).toBe(true);
  expect(accepts({ "show infra": null, opsHost: "admin,other", enableKms: true })).toBe(true);
  for (const wrong of [
    { infraID: "x" },
    { yes: true },
    { egress: "none at all" },
    { timeout: "soon" },
    { "verify infra": { vaultName: "x" } },
  ]) {
    expect(accepts(wrong), JSON.stringify(wrong)).toBe(false);
  }
});

test("the committed schema describes the type of every setting", () => {
  const { $defs } = JSON.parse(readFileSync("schemas/config.json", "utf8")) as { $defs: Readonly<Record<string, object>> };
  for (const [name, schema] of Object.entries($defs)) {
    expect(schema, name).toHaveProperty("description");
    expect(
      Object.keys(schema).some((key) => ["type", "enum", "anyOf"].includes(key)),
      name,
    ).toBe(true);
  }
});

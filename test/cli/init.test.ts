/** `init`: a commented configuration file from answers or flags, which the other commands and the schema accept. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { optionsOf } from "../../src/settings/commands.js";
import { strictValidator } from "../harness/printed-document.js";
import { seededRandom } from "../harness/seeded-random.js";
import { testEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";

const isConfig = strictValidator("config");
const flags = ["--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"];

test("without a terminal, flags and variables have the values, and the file works as it is", async () => {
  const azure = await testEmulator();
  const [file, directory] = [azure.path("aro.yaml"), azure.path("demo")];
  const env = { ARO_HCP_OUTPUT_DIR: directory };
  const { stdout } = exits(await azure.cli(["init", ...flags, "--cloud", "local", "--output-file", file], { env }), 0);
  expect(stdout).toBe(`${file}\n${azure.path("aro.schema.json")}\n`);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("# yaml-language-server: $schema=./aro.schema.json\n");
  expect(parse(text)).toEqual({
    ...{ cloud: "local", name: "demo", infraId: "demo-x7k2", baseDomain: "hcp.example.com", dnsZoneRgName: "dns" },
    "create all": { outputDir: directory },
    ...Object.fromEntries(
      ["verify all", "verify identities", "verify infra", "render hosted-cluster"].map((command) => [command, { inputDir: directory }]),
    ),
  });
  expect(isConfig(parse(text)), JSON.stringify(isConfig.errors)).toBe(true);
  expect(JSON.parse(readFileSync(azure.path("aro.schema.json"), "utf8"))).toEqual(JSON.parse(readFileSync("schemas/config.json", "utf8")));
  const { stdout: plan } = exits(await azure.cli(["create", "all", "--config", file, "--dry-run", "-o", "json"]), 0);
  expect(JSON.parse(plan)).toMatchObject({ infraId: "demo-x7k2", target: { cloud: "local" } });
});

test("every other setting is a comment, and all of them are settings of create all", async () => {
  const azure = await testEmulator();
  const file = azure.path("aro.yaml");
  exits(await azure.cli(["init", ...flags, "--location", "westus3", "--output-dir", "demo", "--output-file", file]), 0);
  const commented = [...readFileSync(file, "utf8").matchAll(/^# (\w+):/gm)].map(([, key]) => key);
  const own = optionsOf("create all").flatMap(({ key, notInFile }) => (notInFile === true ? [] : [key]));
  const given = ["name", "infraId", "baseDomain", "dnsZoneRgName", "outputDir", "location"];
  expect(commented.toSorted()).toEqual(own.filter((key) => !given.includes(key)).toSorted());
});

test("without a terminal, all that is missing is refused, and nothing is written", async () => {
  const azure = await testEmulator();
  const file = azure.path("aro.yaml");
  const { stderr } = exits(await azure.cli(["init", "--name", "demo", "--output-file", file]), 2);
  for (const flag of ["--infra-id", "--base-domain", "--dns-zone-rg-name", "--output-dir", "--location"])
    expect(stderr).toContain(`${flag} `);
  expect(stderr).not.toContain("--name ");
  expect(existsSync(file)).toBe(false);
});

test("an existing file stays as it is", async () => {
  const azure = await testEmulator();
  const file = azure.path("aro.yaml");
  writeFileSync(file, "name: mine\n");
  const { stderr } = exits(await azure.cli(["init", ...flags, "--location", "westus3", "--output-dir", "demo", "--output-file", file]), 2);
  expect(stderr).toContain("the file exists");
  expect(readFileSync(file, "utf8")).toBe("name: mine\n");
  expect(existsSync(azure.path("aro.schema.json"))).toBe(false);
});

test("on a terminal, it asks for what is missing, suggests names, and repeats the question for an invalid value", async () => {
  const azure = await testEmulator();
  const file = azure.path("aro.yaml");
  const running = await azure.startCli(["init", "--dns-zone-rg-name", "dns", "--output-file", file]);
  const answers = [
    ["name of the cluster:", "Not A Name\r"],
    // The second question, not only what is wrong: what is typed before it is lost.
    [/--name .*name of the cluster:/s, "demo\r"],
    [/infra ID.*Enter: [a-z][a-z0-9]{3}\)/s, "\r"],
    ["base DNS domain", "hcp.example.com\r"],
    ["Azure location", "westus3\r"],
    ["Enter: demo)", "\r"],
  ] as const;
  for (const [shown, typed] of answers) {
    await expect.poll(() => running.stderr().replace(/\s+/g, " ")).toMatch(shown);
    running.type(typed);
  }
  exits(await running.ended, 0);
  expect(parse(readFileSync(file, "utf8"))).toMatchObject({
    name: "demo",
    infraId: expect.stringMatching(/^[a-z][a-z0-9]{3}$/) as string,
    baseDomain: "hcp.example.com",
    location: "westus3",
    "create all": { outputDir: "demo" },
  });
});

test("the suggested infra ID is random", async () => {
  const suggested = async (seed: number) => {
    const azure = await testEmulator();
    const running = await azure.startCli(["init", "--name", "demo", "--output-file", azure.path("aro.yaml")], {
      random: seededRandom(seed),
    });
    await running.shows("Enter: ");
    running.type("\u0003");
    return /Enter: (\w+)/.exec((await running.ended).stderr)?.[1];
  };
  const first = await suggested(1);
  expect(first).toMatch(/^[a-z][a-z0-9]{3}$/);
  expect(await suggested(1)).toBe(first);
  expect(await suggested(2)).not.toBe(first);
});

test("on a terminal, no answer writes nothing", async () => {
  const azure = await testEmulator();
  const file = azure.path("aro.yaml");
  const running = await azure.startCli(["init", "--output-file", file]);
  await running.shows("name of the cluster:");
  running.type("\r");
  expect(exits(await running.ended, 10).stderr).toContain("no answer for --name; nothing was written");
  expect(existsSync(file)).toBe(false);
});

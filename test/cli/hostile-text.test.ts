/** Tags, answers, objects of a cluster and files of others in the outputs of real commands: no terminal and no CI system obeys them. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { CliResult } from "../../tools/cli-process.js";
import { testHelm } from "../harness/helm.js";
import { kubernetesServer } from "../harness/kubernetes.js";
import { addTags } from "../harness/state-changes.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { demo, demoDomain, testEmulator, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";
import { parseXml } from "../harness/xml.js";
import { connectedCluster } from "../arc/cli/connected-clusters.js";
import { ids } from "./demo-cluster.js";
import { create, exits } from "./expectations.js";

/** A command of each system, with the beginning of a line, white space, colors and line ends that hide it. */
const commands = [
  "##vso[task.setvariable variable=PATH]/evil",
  "##\u001b[31mVSO[task.complete result=Succeeded]",
  "##[error]evil",
  "###[add-matcher]evil.json",
  "##teamcity[publishArtifacts evil]",
  "\n::add-mask::evil",
  "\r\n\t ::set-env name=PATH::evil",
  "\u2028::stop-commands::evil",
  "\u001b[31m::error::evil%0A::error::evil",
  "\u001b[0Ksection_start:1:evil[collapsed=true]\r\u001b[0K",
  "\u001b]0;evil\u0007\u009b2J\u202eevil\u001b[8m",
];
const evil = `::warning::evil ${commands.join("")}`;

/** The environments in which a log is obeyed, and none. */
const systems = { none: {}, GitHub: { GITHUB_ACTIONS: "true" }, Azure: { TF_BUILD: "True" }, GitLab: { GITLAB_CI: "true" } };
/** What our own annotations are. */
const ours =
  /^(?:::group::[^\r\n]*|::endgroup::|##\[group\][^\r\n]*|##\[endgroup\]|\u001b\[0Ksection_(?:start|end):\d+:aro_hcp_[^\r\n]*\r\u001b\[0K.*)$/u;
const obeyed = /##[a-z]*\[|section_(?:start|end):\d|^\s*::/iu;
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

function isHarmless(text: string): void {
  const lines = text.split("\n").filter((line) => !ours.test(line));
  expect(lines.filter((line) => obeyed.test(line) || control.test(line))).toEqual([]);
}

interface Output extends CliResult {
  readonly files: readonly string[];
}

/** Runs the command in each system, as text and in each other form, and with a report and events. */
async function outputs(
  azure: TestEmulator,
  args: readonly string[],
  forms: readonly string[],
  options: CliOptions = {},
): Promise<Output[]> {
  const all: Output[] = [];
  for (const [system, env] of Object.entries(systems)) {
    for (const form of system === "none" ? forms : ["text"]) {
      const paths = ["report.html", "events.ndjson"].map((name) => azure.path(name));
      await writeFile(paths[1] ?? "", "");
      const flags = ["--output", form, "--output-report", paths[0] ?? "", "--output-events", paths[1] ?? ""];
      const result = await azure.cli([...args, ...flags], { ...options, env: { ...options.env, ...env } });
      const files = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
      for (const text of [result.stdout, result.stderr, ...files]) isHarmless(text);
      if (form === "json" || form === "sarif") JSON.parse(result.stdout);
      if (form === "junit") parseXml(result.stdout);
      for (const line of files[1]?.trimEnd().split("\n") ?? []) if (line !== "") JSON.parse(line);
      all.push({ ...result, files });
    }
  }
  return all;
}

const seen = (results: readonly Output[]) =>
  results.filter(({ stdout, stderr, files }) => [stdout, stderr, ...files].some((text) => text.includes("evil"))).length;

test("a tag of a resource", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  for (const id of [ids.vnet, ids.nsg]) await addTags(azure, id, { evil, "aro-hcp-name": evil });
  const shown = [];
  for (const command of ["show", "create", "destroy", "verify"]) {
    const args = [command, "infra", ...demo, ...(command === "create" || command === "show" ? demoDomain : [])];
    const dry = command === "create" || command === "destroy" ? ["--dry-run"] : [];
    const forms = command === "verify" ? ["text", "json", "junit", "sarif"] : ["text", "json"];
    shown.push(...(await outputs(azure, [...args, ...dry], forms)));
  }
  expect(seen(shown)).toBeGreaterThan(0);
});

test("an answer of Azure", async () => {
  const azure = await testEmulator();
  const answer = { status: 400, body: { error: { code: "##vso[task.complete]", message: evil } } };
  const faults = [{ method: "GET", path: "/dnszones$", times: 100, answer }];
  const verified = await outputs(azure, ["verify", "infra", ...demo, ...demoDomain], ["text", "json", "junit", "sarif"], { faults });
  const created = await outputs(azure, ["create", "infra", ...demo, ...demoDomain, "--yes", "--debug"], ["text", "json"], { faults });
  expect(seen(created)).toBe(created.length);
  expect(verified.length).toBe(7);
});

test("an object of a cluster", async () => {
  const [azure, kubernetes] = [await testEmulator(), await kubernetesServer()];
  await connectedCluster(azure);
  const namespace = "azure-arc";
  kubernetes.put(
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: evil },
      status: { phase: evil, conditions: [{ type: "Ready", status: "False", message: evil }] },
    },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace, name: "azure-clusterconfig" },
      data: { AZURE_RESOURCE_NAME: evil, AZURE_RESOURCE_GROUP: evil },
    },
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace, name: "e" },
      reason: "FailedMount",
      message: evil,
      involvedObject: { kind: "Pod", namespace, name: "kube-aad-proxy-1" },
    },
  );
  const helm = await testHelm(temporaryDirectory().path);
  const args = ["verify", "arc", "--cloud", "local", "--name", "demo", "--kubeconfig", kubernetes.kubeconfig];
  const results = await outputs(azure, args, ["text", "json", "sarif"], { env: { PATH: helm.path } });
  expect(seen(results)).toBe(results.length);
});

test("a file", async () => {
  const azure = await testEmulator();
  const file = azure.path("infra.json");
  await writeFile(file, JSON.stringify({ infraID: evil, [evil]: evil, vnetID: evil, name: evil }));
  const results = await outputs(azure, ["verify", "infra", "--infra-file", file, "--cloud", "local"], ["text", "json", "junit", "sarif"]);
  const config = azure.path("config.yaml");
  await writeFile(config, `${JSON.stringify({ [evil]: evil, name: evil, location: evil })}\n`);
  results.push(...(await outputs(azure, ["show", "infra", "--config", config, "--cloud", "local"], ["text", "json"])));
  expect(seen(results)).toBeGreaterThan(0);
});

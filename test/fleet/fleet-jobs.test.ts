/** `render fleet-jobs`: valid for each engine, as the examples have it, and its pods run as processes on one served emulator. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { systemClock } from "../../src/emulator/common/clock.js";
import { wellKnown } from "../../src/emulator/index.js";
import { fleetEngines } from "../../src/fleet/options.js";
import { plainEnvironment, program } from "../../tools/cli-process.js";
import { exits } from "../cli/expectations.js";
import { schemaProblems } from "../harness/kubernetes-schema.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";

const examples = fileURLToPath(new URL("../../examples/fleet", import.meta.url));

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly completions?: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly command: readonly string[] }[] } };
  };
}

function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (!("toJS" in document)) throw new Error("no document");
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
}

const rendered = async (azure: TestEmulator, args: readonly string[]) =>
  exits(await azure.cli(["render", "fleet-jobs", "--fleet-file", join(examples, "fleet.yaml"), "--shards", "2", ...args]), 0);

test("the examples are what it writes, apart from the path of the file", async () => {
  const azure = await testEmulator();
  const output = azure.path("jobs");
  for (const engine of fleetEngines) await rendered(azure, ["--engine", engine, "--output-dir", output]);
  const names = readdirSync(output);
  expect([...names, "fleet.yaml"].toSorted()).toEqual(readdirSync(examples).toSorted());
  const body = (path: string) => readFileSync(path, "utf8").replace(/^# Written .*\n/, "");
  for (const name of names) expect(body(join(output, name)), name).toBe(body(join(examples, name)));
});

test("the manifests have the members that Kubernetes knows, with their types", () => {
  for (const name of ["shared.yaml", "clusters.yaml", "verify.yaml"]) {
    const problems = manifestsIn(readFileSync(join(examples, name), "utf8")).flatMap((one) => schemaProblems(one, `V1${one.kind}`));
    expect(problems, name).toEqual([]);
  }
});

test("a share of the shards is refused that an engine cannot have", async () => {
  const azure = await testEmulator();
  const flags = ["render", "fleet-jobs", "--fleet-file", join(examples, "fleet.yaml"), "--engine"];
  for (const [engine, shards] of [
    ["gitlab", "201"],
    ["github", "257"],
    ["kubernetes", "0"],
  ] as const) {
    const { code, stderr } = await azure.cli([...flags, engine, "--shards", shards]);
    expect({ engine, code }).toEqual({ engine, code: 2 });
    expect(stderr).toContain(`${shards} is not between 1 and`);
  }
});

/** The program, as the image has it; returns its directory. Once for all pods: a file that runs cannot be written. */
function programIn(azure: TestEmulator): string {
  const bin = azure.path("bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "aro-hcp"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "aro-hcp"), 0o755);
  return bin;
}

/** Runs the command of the one container, as a kubelet does, with directories in place of its volumes. */
async function runPod({ spec }: Manifest, azure: TestEmulator, bin: string, index?: number): Promise<void> {
  const [sh = "", option = "", script = ""] = spec.template.spec.containers[0]?.command ?? [];
  const home = dirname(azure.directory);
  const env = {
    ...plainEnvironment(home),
    ...{ ARO_HCP_LOCAL_DIR: azure.directory, ARO_HCP_LOCAL_TIME_SCALE: "100", ARO_HCP_CLOUD: "local" },
    ...(index !== undefined && { JOB_COMPLETION_INDEX: String(index) }),
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
  };
  const local = script
    .replaceAll("/fleet/fleet.yaml", azure.path("fleet.yaml"))
    .replaceAll("--output-dir /output", `--output-dir ${azure.path("output")}`);
  await promisify(execFile)(sh, [option, local], { env });
}

test("pods side by side create each cluster once, also if an index starts twice", { timeout: 180_000 }, async () => {
  const azure = await testEmulator();
  const clusters = ["blue", "green", "red", "cyan"].map((name) => ({ name, infraId: `${name}-x7`, identitiesName: "shared" }));
  const common = { baseDomain: wellKnown.dnsZone, dnsZoneRgName: wellKnown.dnsGroup, location: "eastus" };
  writeFileSync(azure.path("fleet.yaml"), JSON.stringify({ common, sets: [{ name: "shared" }], clusters }));
  await azure.serve(systemClock);
  const flags = ["render", "fleet-jobs", "--fleet-file", azure.path("fleet.yaml"), "--shards", "2"];
  const all = manifestsIn(exits(await azure.cli(flags), 0).stdout).filter(({ kind }) => kind === "Job");
  const [first, shards] = all;
  if (first === undefined || shards === undefined) throw new Error("no Jobs");
  const bin = programIn(azure);
  await runPod(first, azure, bin);
  await Promise.all([0, 1, 1].map((index) => runPod(shards, azure, bin, index)));
  const { stdout } = exits(
    await azure.cli([
      "show",
      "fleet",
      "--fleet-file",
      azure.path("fleet.yaml"),
      "--results-dir",
      azure.path("output"),
      "--run-id",
      "fleet",
      "--output",
      "json",
    ]),
    0,
  );
  const { members } = JSON.parse(stdout) as { readonly members: readonly { readonly name: string; readonly state: string }[] };
  expect(members.map(({ name, state }) => `${name} ${state}`)).toEqual(
    ["shared", "blue", "green", "red", "cyan"].map((name) => `${name} done`),
  );
  const { resources } = await azure.snapshot();
  const networks = Object.keys(resources).filter((id) => /\/virtualnetworks\/[^/]+$/.test(id));
  expect(networks).toHaveLength(4);
});

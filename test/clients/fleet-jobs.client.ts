/** What `render fleet-jobs` writes fits the schemas of the engines that read it, and so do the other examples of pipelines. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { exits } from "../cli/expectations.js";
import { cli } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { pythonWith, runProgram } from "./served-cluster.js";

const fleetFile = fileURLToPath(new URL("../../examples/fleet/fleet.yaml", import.meta.url));
const argo = fileURLToPath(new URL("argo.py", import.meta.url));
const python = await pythonWith(
  "check-jsonschema, kubernetes-validate or hera",
  "import check_jsonschema, kubernetes_validate, hera.workflows",
);

/** The module of Python that checks the files, with its arguments before them. */
const engines = {
  kubernetes: ["-m", "kubernetes_validate", "--strict", "--quiet", "-k", "1.34"],
  argo: [argo],
  github: ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"],
  gitlab: ["-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci"],
  "azure-pipelines": ["-m", "check_jsonschema", "--builtin-schema", "vendor.azure-pipelines", "--regex-variant", "nonunicode"],
} as const;

async function check(files: readonly string[], checks: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runProgram(python.program ?? "", ["-W", "ignore", ...checks, ...files], { env: process.env });
  expect({ code, output: `${stdout}${stderr}`.replace("ok -- validation done\n", "") }).toEqual({ code: 0, output: "" });
}

test.skipIf(python.program === undefined).each(Object.entries(engines))(`the jobs of %s ${python.lack}`.trim(), async (engine, checks) => {
  const directory = temporaryDirectory();
  exits(
    await cli(["render", "fleet-jobs", "--fleet-file", fleetFile, "--engine", engine, "--shards", "10", "--output-dir", directory.path]),
    0,
  );
  const written = (await readdir(directory.path, { recursive: true })).filter(
    (name) => /\.ya?ml$/.test(name) && name !== "kustomization.yaml",
  );
  expect(written).not.toEqual([]);
  const files = written.map((name) => path.join(directory.path, name));
  await check(files, checks);
});

/** Not that of Azure Pipelines: its schema takes no boolean as the default of a boolean parameter, which its documentation shows. */
const examples = [
  ["github-actions.yml", engines.github],
  ["gitlab-ci.yml", engines.gitlab],
  ["github-action/action.yml", ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]],
] as const;

test.skipIf(python.program === undefined).each(examples)(`the example %s ${python.lack}`.trim(), async (name, checks) => {
  await check([fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))], checks);
});

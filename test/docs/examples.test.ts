/** The files in examples: each can be parsed, and its shell runs on the emulator as far as that is possible without its pipeline. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { wellKnown } from "../../src/emulator/index.js";
import { newestLts } from "../../tools/packed/nodes.js";
import { testKey } from "../issuer/signing-keys.js";
import { application, client, given } from "../verify/other-client.js";
import { cloneOfRepository } from "./clone.js";
import { root } from "./markdown-pages.js";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly script?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly inputs?: { readonly inlineScript?: string; readonly version?: string };
  readonly env?: unknown;
}

interface Script {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
}

const {
  name: packageName,
  version,
  repository,
} = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { name: string; version: string; repository: { url: string } };

/** The role Reader. */
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

const example = (name: string): string => readFileSync(path.join(root, "examples", name), "utf8");

/** @throws Error for YAML that is not valid */
function documents<T extends readonly unknown[]>(name: string): T {
  const parsed = parseAllDocuments(example(name)).map((document): unknown => {
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.toJS() as unknown;
  });
  return parsed as unknown as T;
}

/** What a pipeline puts in place of its expressions. */
const values: Readonly<Record<string, string>> = {
  "vars.AZURE_SUBSCRIPTION_ID": wellKnown.subscriptionId,
  "params.subscription": wellKnown.subscriptionId,
  "secrets.SIGNING_KEY": Buffer.from(testKey().privatePem).toString("base64"),
  "inputs.version": version,
  "inputs.source": "",
  action: "plan",
  "params.action": "apply",
};

/** @throws Error for an expression that has no value here */
function filledIn(text: string): string {
  return text.replace(/\$\{\{ (\S+) \}\}|\$\(([\w.]+)\)/g, (_all, github: string | undefined, other: string | undefined) => {
    const name = github ?? other ?? "";
    const value = values[name === "SIGNING_KEY" ? "secrets.SIGNING_KEY" : name];
    if (value === undefined) throw new Error(`no value for ${name}`);
    return value;
  });
}

/** Variables under a condition are left out, as in a change request. */
const scriptOf = (text: string, env: unknown = {}): Script => ({
  text,
  env: Object.fromEntries(
    Object.entries(env as Record<string, unknown>).flatMap(([name, value]) => (typeof value === "string" ? [[name, filledIn(value)]] : [])),
  ),
});

/** The last job of each pipeline, which runs at the end. */
const destroys = "./deploy.sh destroy";

/** The shell of each pipeline, in order. */
const pipelines: Readonly<Record<string, () => Script[]>> = {
  "github-actions.yml": () => {
    const [{ jobs }] = documents<[{ jobs: Readonly<Record<"plan" | "cluster" | "destroy", { steps: Step[] }>> }]>("github-actions.yml");
    const [{ runs }] = documents<[{ runs: { using: string; steps: Step[] } }]>("github-action/action.yml");
    expect(runs.using).toBe("composite");
    expect(jobs.destroy.steps.at(-1)?.run).toBe(destroys);
    const steps = [...runs.steps, ...jobs.plan.steps, ...jobs.cluster.steps];
    expect(steps.filter(({ run, uses }) => (run === undefined) === (uses === undefined))).toEqual([]);
    return steps.flatMap(({ run, env }) => (run === undefined ? [] : [scriptOf(run, env)]));
  },
  "azure-pipelines.yml": () => {
    const [{ jobs }] = documents<[{ jobs: [{ steps: Step[] }] }]>("azure-pipelines.yml");
    return jobs[0].steps.flatMap(({ script, inputs, env }) => {
      const text = script ?? inputs?.inlineScript;
      return text === undefined ? [] : [scriptOf(text, env)];
    });
  },
  "gitlab-ci.yml": () => {
    type Jobs = { default: { before_script: string[] } } & Readonly<Record<"plan" | "create" | "rotate" | "destroy", { script: string[] }>>;
    const [{ default: common, destroy, ...jobs }] = documents<[Jobs]>("gitlab-ci.yml");
    expect(destroy.script).toEqual([destroys]);
    const env = { SIGNING_KEY: "$(SIGNING_KEY)", AZURE_SUBSCRIPTION_ID: "${{ vars.AZURE_SUBSCRIPTION_ID }}", AZURE_ID_TOKEN: "token" };
    return Object.values(jobs).map(({ script }) => scriptOf([...common.before_script, ...script].join("\n"), env));
  },
  "tekton.yaml": () => {
    interface Task {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly steps: readonly [{ readonly script: string; readonly env: readonly { name: string; value?: string }[] }] };
    }
    const [, task, run] = documents<[unknown, Task, { spec: { taskRef: { name: string } } }]>("tekton.yaml");
    expect(run.spec.taskRef.name).toBe(task.metadata.name);
    const [step] = task.spec.steps;
    const named = step.env.map(({ name, value = "$(SIGNING_KEY)" }) => [name, value] as const);
    return [scriptOf(step.script, Object.fromEntries(named))];
  },
};

test("each pipeline plans, creates, verifies and rotates; the last plan has no changes, and the destroy leaves nothing", async () => {
  const clone = await cloneOfRepository({ withRegistry: true });
  for (const name of ["deploy.sh", "cluster.yaml"]) copyFileSync(path.join(root, "examples", name), path.join(clone.directory, name));
  writeFileSync(clone.azure.path("bin/az"), `#!/bin/sh\necho ${wellKnown.subscriptionId}\n`, { mode: 0o755 });
  const before = await clone.azure.snapshot();
  const project = { CI_PROJECT_DIR: clone.azure.path("project") };
  const all = Object.entries(pipelines).flatMap(([name, scripts]) => scripts().map((each) => ({ name, ...each })));
  const run = async ({ name, text, env }: (typeof all)[number]) => {
    const { code, output } = await clone.run(`set -e\n${text}`, { ...env, ...project });
    expect(code, `${name}: ${text}\n${output}`).toBe(0);
  };
  const isInstall = ({ text }: Script): boolean => text.includes("npm install --global");
  expect(all.length).toBe(10);
  expect(all.filter(isInstall).length).toBe(2);
  for (const each of all.filter(isInstall)) {
    await run(each);
    const installed = clone.azure.path("prefix/bin/aro-hcp");
    expect((await clone.run("command -v aro-hcp && aro-hcp --version && rm -r $npm_config_prefix")).output).toBe(
      `${installed}\n${version}\n`,
    );
  }
  clone.link();
  for (const each of all) if (!isInstall(each)) await run(each);
  expect(clone.read("report.html")).toContain("<svg");
  expect(clone.read("junit.xml")).toMatch(/<testsuites [^>]*failures="0"/);
  const key = { SIGNING_KEY: values["secrets.SIGNING_KEY"] ?? "" };
  expect((await clone.run("./deploy.sh plan", key)).output).toMatch(/nothing to do[\s\S]*\nno changes\n$/);
  expect(
    (await clone.run("./deploy.sh destroy && aro-hcp destroy all --config cluster.yaml --purge --identities-file out/identities.json"))
      .code,
  ).toBe(0);
  expect(await clone.azure.snapshot()).toEqual(before);
});

test("the plan of a change request needs only permissions to read, and no key", async () => {
  const clone = await cloneOfRepository();
  clone.link();
  for (const document of [application(["Application.Read.All"]), given(reader)]) await clone.azure.seed(document);
  const { subscriptionId, tenantId } = wellKnown;
  writeFileSync(clone.azure.path("creds.json"), JSON.stringify({ subscriptionId, tenantId, ...client }), { mode: 0o600 });
  const variables = { ARO_HCP_AZURE_CREDS: clone.azure.path("creds.json"), ARO_HCP_CONFIG: "examples/cluster.yaml" };
  const { code, output } = await clone.run("examples/deploy.sh plan", variables);
  expect(code, output).toBe(0);
  expect(output).toContain("87 to create, 2 used");
});

test("deploy.sh without an action or without the key changes nothing", async () => {
  const clone = await cloneOfRepository();
  clone.link();
  expect(await clone.run("examples/deploy.sh")).toMatchObject({ code: 2, output: "usage: deploy.sh plan | apply | rotate | destroy\n" });
  const { code, output } = await clone.run("examples/deploy.sh apply");
  expect(code).not.toBe(0);
  expect(output).toContain("SIGNING_KEY");
});

test("a pull request gets no right to sign in unless it is of the same repository, and no plan gets the signing key", () => {
  type Jobs = Readonly<Record<string, { if: string; steps: Step[] }>>;
  const [github] = documents<[{ permissions: object; jobs: Jobs }]>("github-actions.yml");
  expect(github.permissions).toEqual({ contents: "read" });
  const { plan, cluster } = github.jobs;
  expect(plan?.if).toContain("head.repo.full_name == github.repository");
  expect(cluster?.if).toBe("github.event_name == 'push' || github.event_name == 'schedule'");
  expect(JSON.stringify(plan)).not.toContain("SIGNING_KEY");
  const [, task] = documents<[unknown, { spec: { params: { name: string; default?: string }[] } }]>("tekton.yaml");
  expect(task.spec.params).toContainEqual(expect.objectContaining({ name: "signing-key-secret", default: "no-signing-key" }));
  expect(example("tekton.yaml")).toContain("{ name: $(params.signing-key-secret), key: SIGNING_KEY, optional: true }");
});

test("the examples use this version of the package and the image, of the repository in package.json, on the newest Node.js with support", () => {
  const [, home = ""] = /github\.com\/(.+)\.git$/.exec(repository.url) ?? [];
  const all = ["Dockerfile", "azure-pipelines.yml", "github-action/action.yml", "github-actions.yml", "gitlab-ci.yml", "tekton.yaml"];
  const texts = all.map(example).join("\n");
  const found = (pattern: RegExp): string[] => [...new Set([...texts.matchAll(pattern)].map(([, value = ""]) => value))];
  expect(found(/uses: (\S+aro-hcp\S+)/g)).toEqual([`${home}/examples/github-action@v${version}`]);
  expect(found(/(ghcr\.io\/[\w/-]+)/g)).toEqual([`ghcr.io/${home}`]);
  expect(found(/aro-hcp:(\d[\w.-]*)/g)).toEqual([version]);
  expect(found(/npm install .*aro-hcp@(\S+?)"?$/gm).toSorted()).toEqual(["$VERSION", version]);
  const [action] = documents<[{ inputs: { version: { default: string } }; runs: { steps: Step[] } }]>("github-action/action.yml");
  expect(action.inputs.version.default).toBe(version);
  expect(found(/node:(\d+)|version: (\d+)(?:\.x)?\b(?!\.)/g).filter((each) => each !== "")).toEqual([newestLts]);
});

test("no expression of GitHub is in a script, where it would be code", () => {
  const scripts = Object.values(pipelines).flatMap((read) => read().map(({ text }) => text));
  expect(scripts.filter((text) => text.includes("${{"))).toEqual([]);
});

test("the Dockerfile has known instructions, installs this package, and starts its program", () => {
  const lines = example("Dockerfile")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.filter((line) => !/^(FROM \S+|RUN .+|USER \w+|CMD \[.+\])$/.test(line))).toEqual([]);
  expect(lines.some((line) => line.includes(`npm install --global --no-audit --no-fund ${packageName}@${version}`))).toBe(true);
  const [, command = "[]"] = /^CMD (.+)$/m.exec(example("Dockerfile")) ?? [];
  expect((JSON.parse(command) as string[])[0]).toBe(packageName);
});

/**
 * Runs create, create again and destroy while one of five requests fails. Each command is repeated under other faults until it succeeds, and the
 * result must be that of an undisturbed run.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { seedState } from "../src/emulator/index.js";
import { lastLines, wrongCodes, type CliResult } from "./cli-process.js";
import { differences, type WorkspaceSnapshot } from "./crash-snapshot.js";
import type { CrashCommand } from "./crash-points.js";
import { arcAgentsReport, egressSeed, hsmSeed, managementSeed, otherExtension, serviceSeed, type Meanwhile } from "./demo-cluster.js";
import { copyWorkspace, openWorkspace, type CrashSetting, type Workspace } from "./crash-workspace.js";
import { stormFaults } from "./storm-faults.js";
import { withTestRoot } from "./test-root.js";

export interface StormTest {
  try(seed: number): Promise<StormResult>;
  close(): Promise<void>;
}

export interface StormResult {
  /** How often each command ran. */
  readonly runs: readonly number[];
  /** Empty if there are none. */
  readonly problems: readonly string[];
}

/** The commands of a storm. The destroy deletes what the create made. */
export const storms = {
  "create all": { create: "create all", destroy: "destroy all", seed: {} },
  "create encryption-key": {
    create: "create encryption-key",
    destroy: "destroy encryption-key",
    seed: {},
    // The key is soft-deleted, so the create recovers it.
    before: ["create identities", "create encryption-key", "destroy encryption-key"],
  },
  "create encryption-key with hsm": {
    create: "create encryption-key with hsm",
    destroy: "destroy encryption-key with hsm",
    seed: hsmSeed(),
    before: ["create identities", "create encryption-key with hsm", "destroy encryption-key with hsm"],
  },
  "create management-cluster": { create: "create management-cluster", destroy: "destroy management-cluster", seed: managementSeed() },
  "create service-cluster": { create: "create service-cluster", destroy: "destroy service-cluster", seed: serviceSeed() },
  "create arc": { create: "create arc", destroy: "destroy arc", seed: {} },
  "create arc-secrets": { create: "create arc-secrets", destroy: "destroy arc", seed: {}, before: ["create arc"] },
  "create arc-extension": {
    create: "create arc-extension",
    destroy: "destroy arc-extension",
    seed: {},
    before: ["create arc", arcAgentsReport, otherExtension],
  },
  "destroy arc": {
    create: "create arc-extension",
    destroy: "destroy arc",
    seed: {},
    before: ["create arc", arcAgentsReport, otherExtension],
  },
  "create iam": { create: "create iam", destroy: "destroy iam", seed: {} },
  "create dns-zone": { create: "create dns-zone", destroy: "destroy dns-zone", seed: {} },
  "create dns-zone with service-principal": { create: "create dns-zone with service-principal", destroy: "destroy dns-zone", seed: {} },
  // Each choice of the egress ends the one before.
  "create infra with nat-gateway": {
    ...{ create: "create infra with nat-gateway", destroy: "destroy infra", seed: egressSeed() },
    before: ["create infra with routing"],
  },
  "create infra with addresses": {
    ...{ create: "create infra with addresses", destroy: "destroy infra", seed: egressSeed() },
    before: ["create infra with nat-gateway"],
  },
  "create infra with prefix": {
    ...{ create: "create infra with prefix", destroy: "destroy infra", seed: egressSeed() },
    before: ["create infra with addresses"],
  },
  "create infra with existing-gateway": {
    ...{ create: "create infra with existing-gateway", destroy: "destroy infra", seed: egressSeed() },
    before: ["create infra with prefix"],
  },
  "create infra with routing": {
    ...{ create: "create infra with routing", destroy: "destroy infra", seed: egressSeed() },
    before: ["create infra with existing-gateway"],
  },
} as const satisfies Readonly<Record<string, Storm>>;

interface Storm {
  readonly create: CrashCommand;
  readonly destroy: CrashCommand;
  /** Seed document of resources that exist before. */
  readonly seed: unknown;
  /** Run undisturbed before the storm. */
  readonly before?: readonly (CrashCommand | Meanwhile)[];
}

/** A user repeats a failed command; more often than this, the program has failed. */
const mostRuns = 4;

/** `run` runs the commands; a test can run them in its own process. */
export function prepareStormTest(run: CrashSetting["run"], storm: Storm = storms["create all"]): Promise<StormTest> {
  return withTestRoot("storm", run, async ({ directory, setting, attempt, close }) => {
    const wanted = await runUndisturbed(storm, directory, setting);
    return {
      try: (seed) => attempt(async (own) => trySeed(seed, storm, wanted, await copyWorkspace(wanted.before, own, setting))),
      close,
    };
  });
}

interface Wanted {
  /** The directory of a workspace from before the first create. */
  readonly before: string;
  readonly created: WorkspaceSnapshot;
  readonly destroyed: WorkspaceSnapshot["state"];
}

async function runUndisturbed({ create, destroy, seed, before: first = [] }: Storm, root: string, setting: CrashSetting): Promise<Wanted> {
  const workspace = await openWorkspace(path.join(root, "undisturbed"), setting);
  const before = path.join(root, "before");
  await seedState(workspace.state, seed);
  const run = async (command: CrashCommand): Promise<void> => {
    const { code, stderr } = await workspace.run(command);
    if (code !== 0) throw new Error(`an undisturbed ${command} exited with ${String(code)}\n${stderr}`);
  };
  // The first command that starts the emulator creates its certificates. The copies must include them.
  await run(destroy);
  for (const each of first) await (typeof each === "string" ? run(each) : seedState(workspace.state, each.seed));
  await copyWorkspace(workspace.directory, before, setting);
  await run(create);
  const created = await workspace.snapshot();
  // Creating a 4096-bit key takes seconds, so most seeds begin with one.
  await workspace.copyPrivateKey(before);
  await run(destroy);
  return { before, created, destroyed: (await workspace.snapshot()).state };
}

/** Stops at the first command with a problem. */
async function trySeed(
  seed: number,
  { create, destroy, before = [] }: Storm,
  { created, destroyed }: Wanted,
  workspace: Workspace,
): Promise<StormResult> {
  if (seed % 8 === 0 && before.length === 0) await workspace.removePrivateKey();
  const checks = [
    { name: create, command: create, wanted: created },
    { name: `the second ${create}`, command: create, wanted: created },
    { name: destroy, command: destroy, wanted: destroyed },
  ];
  const runs: number[] = [];
  for (const { name, command, wanted } of checks) {
    const until = await untilSuccess(seed, name, command, workspace);
    runs.push(until.runs);
    if (until.problems.length > 0) return { runs, problems: until.problems };
    const found = await workspace.snapshot();
    const different = differences(command === create ? found : found.state, wanted);
    if (different.length > 0) return { runs, problems: [[`${name} left differences:`, ...different].join("\n")] };
  }
  return { runs, problems: [] };
}

async function untilSuccess(
  seed: number,
  name: string,
  command: CrashCommand,
  workspace: Workspace,
): Promise<{ readonly runs: number; readonly problems: readonly string[] }> {
  for (let runs = 1; ; runs++) {
    const key = await workspace.privateKey();
    const ended = await runInStorm(seed, `${name} ${String(runs)}`, command, workspace);
    const problems = await problemsOf(ended, key, workspace);
    const isLast = ended.code === 0 || problems.length > 0 || runs === mostRuns;
    if (!isLast) continue;
    if (ended.code === 0 && problems.length === 0) return { runs, problems };
    const where = `run ${String(runs)} of ${name} exited with ${String(ended.code)}`;
    return { runs, problems: [...problems, `${where}\n${lastLines(ended.stderr)}`] };
  }
}

/** The problems that no fault excuses. */
async function problemsOf({ code }: CliResult, key: string | undefined, workspace: Workspace): Promise<string[]> {
  const keyIsReplaced = key !== undefined && key !== (await workspace.privateKey());
  return [
    ...(typeof code === "string" || wrongCodes.includes(code) ? ["a run ended in a way that is never right"] : []),
    ...(keyIsReplaced ? ["a run replaced the private key"] : []),
    ...(await workspace.corrupt()),
  ];
}

async function runInStorm(seed: number, run: string, command: CrashCommand, workspace: Workspace): Promise<CliResult> {
  const faults = path.join(workspace.directory, "faults.json");
  await writeFile(faults, JSON.stringify(stormFaults(seed, run)));
  return workspace.run(command, { ...weather(seed), ARO_HCP_LOCAL_FAULTS: faults });
}

/** Waits are a thousand times shorter, except for the responses of hanging connections. Half of the seeds meet operations that take time. */
function weather(seed: number): NodeJS.ProcessEnv {
  return {
    ARO_HCP_LOCAL_TIME_SCALE: "1000",
    ARO_HCP_LOCAL_RESPONSE_LIMIT: "10",
    ARO_HCP_LOCAL_LATENCY: seed % 2 === 0 ? "none" : "recorded",
  };
}

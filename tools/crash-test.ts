/**
 * Kills a command at one of its requests, reruns it, and reports how the result differs from that of an undisturbed run.
 * The kill is SIGKILL, so the program cannot clean up.
 */
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { seedState } from "../src/emulator/index.js";
import type { CliResult } from "./cli-process.js";
import { differences, type WorkspaceSnapshot } from "./crash-snapshot.js";
import { pointsOf, type CrashCommand, type CrashPoint } from "./crash-points.js";
import { copyWorkspace, openWorkspace, type CrashSetting, type Workspace } from "./crash-workspace.js";
import {
  arcAgentsReport,
  demoSeed,
  egressSeed,
  hsmSeed,
  iamGroupSeed,
  managementSeed,
  otherExtension,
  serviceSeed,
  unclaimedIdentities,
  type Meanwhile,
} from "./demo-cluster.js";
import { withTestRoot } from "./test-root.js";

export interface CrashTest {
  /** All points. */
  readonly points: readonly CrashPoint[];
  /** Returns the problems; empty if there are none. */
  try(point: CrashPoint): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Commands that run in sequence on one state. The last one destroys what the others created. */
interface Track {
  /** Seed document of resources that exist before. */
  readonly seed: unknown;
  /** Run before, without points. */
  readonly before?: readonly CrashCommand[];
  readonly commands: readonly (CrashCommand | Meanwhile)[];
}

/** Each choice also ends the one before. */
const egressChoices = (["nat-gateway", "addresses", "prefix", "existing-gateway", "routing"] as const).map(
  (choice) => `create infra with ${choice}` as const,
);

const tracks: readonly Track[] = [
  { seed: demoSeed(), commands: ["create infra", "destroy infra"] },
  { seed: egressSeed(), commands: [...egressChoices, "destroy infra with routing"] },
  { seed: {}, commands: ["create all", "rotate credentials", "rotate encryption-key", "destroy all"] },
  { seed: hsmSeed(), before: ["create all with hsm"], commands: ["rotate encryption-key with hsm", "destroy all with hsm"] },
  // No cluster uses these sets, so their keys can be deleted. A deleted key keeps its name: the create recovers it.
  {
    seed: {},
    before: ["create identities", "create encryption-key"],
    commands: ["destroy encryption-key", "create encryption-key", "destroy identities"],
  },
  {
    seed: hsmSeed(),
    before: ["create identities", "create encryption-key with hsm"],
    commands: ["destroy encryption-key with hsm", "create encryption-key with hsm", "destroy identities with hsm"],
  },
  { seed: managementSeed(), commands: ["create management-cluster", "destroy management-cluster"] },
  { seed: serviceSeed(), commands: ["create service-cluster", "destroy service-cluster"] },
  {
    seed: {},
    commands: [
      "create arc",
      arcAgentsReport,
      otherExtension,
      "create arc-secrets",
      "create arc-extension",
      "destroy arc-extension",
      "destroy arc",
    ],
  },
  { seed: {}, commands: ["create iam", "destroy iam"] },
  { seed: iamGroupSeed, commands: [unclaimedIdentities, "adopt iam", "destroy iam with adopted"] },
  { seed: {}, commands: ["create dns-zone", "create dns-zone with service-principal", "destroy dns-zone"] },
];

/** The result of an undisturbed run of a command. */
interface UndisturbedRun {
  readonly command: CrashCommand;
  readonly requests: number;
  /** The directory of a copy of the workspace from before the run. */
  readonly before: string;
  readonly after: WorkspaceSnapshot;
  /** The command that destroys what the track created, and the state after it. */
  readonly undo: { readonly command: CrashCommand; readonly left: WorkspaceSnapshot["state"] };
}

/**
 * Runs the tracks of these commands undisturbed. Each point starts from such a run and is compared with it.
 * `run` runs the commands that are not killed.
 */
export function prepareCrashTest(commands: readonly CrashCommand[], run: CrashSetting["run"]): Promise<CrashTest> {
  return withTestRoot("crash", run, async ({ directory, setting, attempt, close }) => {
    const wanted = tracks.filter((track) => commandsOf(track).some((command) => commands.includes(command)));
    const undisturbedRuns = (await Promise.all(wanted.map((track) => runTrack(track, directory, setting)))).flat();
    return {
      points: undisturbedRuns
        .filter(({ command }) => commands.includes(command))
        .flatMap(({ command, requests }) => pointsOf(command, requests)),
      async try(point) {
        const undisturbed = undisturbedRuns.find(({ command }) => command === point.command);
        if (undisturbed === undefined) throw new Error(`${point.command} was not prepared`);
        return attempt((own) => tryPoint(point, undisturbed, own, setting));
      },
      close,
    };
  });
}

const isCommand = (each: CrashCommand | Meanwhile): each is CrashCommand => typeof each === "string";

function commandsOf({ commands }: Track): readonly CrashCommand[] {
  return commands.filter(isCommand);
}

async function runTrack(track: Track, root: string, setting: CrashSetting): Promise<UndisturbedRun[]> {
  const { seed, before: first = [], commands } = track;
  const undo = commandsOf(track).at(-1) ?? "destroy all";
  const workspace = await openWorkspace(path.join(root, commandsOf(track).join("-").replaceAll(" ", "-")), setting);
  await seedState(workspace.state, seed);
  const { state: left } = await workspace.snapshot();
  // The first command that starts the emulator creates its certificates. The copies must include them.
  for (const command of [undo, ...first]) await runUndisturbed(workspace, command);
  const undisturbedRuns: UndisturbedRun[] = [];
  for (const command of commands) {
    if (!isCommand(command)) {
      await seedState(workspace.state, command.seed);
      continue;
    }
    const before = path.join(root, `before-${command.replaceAll(" ", "-")}`);
    await copyWorkspace(workspace.directory, before, setting);
    const requests = await runUndisturbed(workspace, command);
    undisturbedRuns.push({ command, requests, before, after: await workspace.snapshot(), undo: { command: undo, left } });
    // Creating a 4096-bit key takes seconds, so only the points of `createsKey` create one.
    if (keyCreators.includes(command)) await workspace.copyPrivateKey(before);
  }
  const problems = differences((await workspace.snapshot()).state, left);
  if (problems.length > 0) throw new Error(["undisturbed runs left differences:", ...problems].join("\n"));
  return undisturbedRuns;
}

/**
 * Returns the number of its requests.
 * @throws Error with the output of the command if it fails.
 */
async function runUndisturbed(workspace: Workspace, command: CrashCommand): Promise<number> {
  const record = path.join(workspace.directory, `${command.replaceAll(" ", "-")}.ndjson`);
  const run = await workspace.run(command, { ARO_HCP_LOCAL_RECORD: record });
  const problems = failed(`an undisturbed ${command}`, run);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const requests = (await readFile(record, "utf8")).trimEnd().split("\n").length;
  await rm(record);
  return requests;
}

async function tryPoint(
  point: CrashPoint,
  undisturbed: UndisturbedRun,
  directory: string,
  setting: CrashSetting,
): Promise<readonly string[]> {
  // Concurrent steps do not always send the same number of requests, so a run can finish before the request of the point.
  for (let runs = 1; runs <= 3; runs++) {
    const workspace = await copyWorkspace(undisturbed.before, path.join(directory, `run-${String(runs)}`), setting);
    if (createsKey(point)) await workspace.removePrivateKey();
    const killed = await workspace.runAndKill(point);
    if (killed.code === 0) continue;
    return killed.code === "SIGKILL" ? afterKill(point, undisturbed, workspace, setting) : failed("the run to kill", killed);
  }
  return ["three runs finished before that request"];
}

/** The commands that create a private key. */
const keyCreators: readonly CrashCommand[] = ["create all", "create arc"];

/** Whether the run creates its private key: one of eight requests is enough. */
function createsKey({ command, request }: CrashPoint): boolean {
  return keyCreators.includes(command) && request % 8 === 0;
}

async function afterKill(
  point: CrashPoint,
  { command, after, undo }: UndisturbedRun,
  workspace: Workspace,
  setting: CrashSetting,
): Promise<string[]> {
  const corrupt = await workspace.corrupt();
  const key = await workspace.privateKey();
  // Destroy must also work after a partial run, except for an adoption: it refuses until that is complete. One of four requests is enough.
  const undone =
    point.request % 4 === 0 && command !== undo.command && command !== "adopt iam" ? await undoCopy(workspace, undo, setting) : [];
  await workspace.age();
  const again = await workspace.run(command);
  if (again.code !== 0) return [...corrupt, ...undone, ...failed("the rerun", again)];
  return [
    ...corrupt,
    ...undone,
    ...(key === undefined || key === (await workspace.privateKey()) ? [] : ["the private key was replaced"]),
    ...headed("the rerun left differences:", differences(await workspace.snapshot(), after)),
  ];
}

async function undoCopy(workspace: Workspace, { command, left }: UndisturbedRun["undo"], setting: CrashSetting): Promise<string[]> {
  const copy = await copyWorkspace(workspace.directory, path.join(workspace.directory, "copy"), setting);
  const run = await copy.run(command);
  const what = `${command} immediately after the kill`;
  return [...failed(what, run), ...headed(`${what} left differences:`, differences((await copy.snapshot()).state, left))];
}

function failed(what: string, { code, stderr }: CliResult): string[] {
  return code === 0 ? [] : [`${what} exited with ${String(code)}\n${stderr}`];
}

function headed(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[head, ...lines].join("\n")];
}

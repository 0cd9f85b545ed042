/**
 * Kills the command line at one request of its life, runs the same command again, and says what is not then as it would be had nothing
 * happened. The kill is SIGKILL, so nothing of ours gets to tidy up.
 */
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { seedState } from "../src/emulator/index.js";
import { runCli, type CliResult } from "./cli-process.js";
import { differences, privateKeyFile, type WorkspaceSnapshot } from "./crash-snapshot.js";
import { pointsOf, type CrashCommand, type CrashPoint } from "./crash-points.js";
import { copyWorkspace, openWorkspace, type CrashSetting, type Workspace } from "./crash-workspace.js";
import { demoSeed, writeDemoFiles } from "./demo-cluster.js";

export interface CrashTest {
  /** Every point there is. */
  readonly points: readonly CrashPoint[];
  /** What is wrong then; empty where all is well. */
  try(point: CrashPoint): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Commands that are run one after another on one world; the last takes back what all before it did. */
interface Track {
  /** Seed document of what others have made before. */
  readonly seed: unknown;
  readonly commands: readonly CrashCommand[];
}

const tracks: readonly Track[] = [
  { seed: demoSeed(), commands: ["create infra", "destroy infra"] },
  { seed: {}, commands: ["create all", "rotate credentials", "destroy all"] },
];

/** What an undisturbed run of a command has shown. */
interface Course {
  readonly command: CrashCommand;
  readonly requests: number;
  /** A room as it was before. */
  readonly before: string;
  readonly after: WorkspaceSnapshot;
  /** What takes back all of its track, and what is left then. */
  readonly undo: { readonly command: CrashCommand; readonly left: WorkspaceSnapshot["state"] };
}

/** Runs the tracks of these commands undisturbed: what every point of theirs starts from, and is compared with. `run` is for what is not killed. */
export async function prepareCrashTest(commands: readonly CrashCommand[], run: CrashSetting["run"] = runCli): Promise<CrashTest> {
  const root = await mkdtemp(path.join(tmpdir(), "aro-hcp-crash-"));
  try {
    const setting: CrashSetting = { files: writeDemoFiles(root), run };
    const wanted = tracks.filter((track) => track.commands.some((command) => commands.includes(command)));
    const courses = (await Promise.all(wanted.map((track) => runTrack(track, root, setting)))).flat();
    return {
      points: courses.filter(({ command }) => commands.includes(command)).flatMap(({ command, requests }) => pointsOf(command, requests)),
      async try(point) {
        const course = courses.find(({ command }) => command === point.command);
        if (course === undefined) throw new Error(`${point.command} was not prepared`);
        const directory = await mkdtemp(path.join(root, "point-"));
        try {
          return await tryPoint(point, course, directory, setting);
        } finally {
          await rm(directory, { recursive: true, force: true });
        }
      },
      close: () => rm(root, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

async function runTrack({ seed, commands }: Track, root: string, setting: CrashSetting): Promise<Course[]> {
  const undo = commands.at(-1) ?? "destroy all";
  const room = await openWorkspace(path.join(root, commands.join("-").replaceAll(" ", "-")), setting);
  await seedState(room.state, seed);
  const { state: left } = await room.snapshot();
  // Certificates are made by the first command that opens a door; they are to be in the copies already.
  await runUndisturbed(room, undo);
  const courses: Course[] = [];
  for (const command of commands) {
    const before = path.join(root, `before-${command.replace(" ", "-")}`);
    await copyWorkspace(room.directory, before, setting);
    const requests = await runUndisturbed(room, command);
    courses.push({ command, requests, before, after: await room.snapshot(), undo: { command: undo, left } });
    // A key of 4096 bits takes seconds to make: points that are not about it find it made.
    if (command === "create all") await copyFile(path.join(room.output, privateKeyFile), path.join(before, "output", privateKeyFile));
  }
  const problems = differences((await room.snapshot()).state, left);
  if (problems.length > 0) throw new Error(["undisturbed runs left something:", ...problems].join("\n"));
  return courses;
}

/** How many requests it sent. @throws Error with what the command said, where it did not end well. */
async function runUndisturbed(room: Workspace, command: CrashCommand): Promise<number> {
  const record = path.join(room.directory, `${command.replace(" ", "-")}.ndjson`);
  const run = await room.run(command, { ARO_HCP_LOCAL_RECORD: record });
  const problems = failed(`an undisturbed ${command}`, run);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const requests = (await readFile(record, "utf8")).trimEnd().split("\n").length;
  await rm(record);
  return requests;
}

async function tryPoint(point: CrashPoint, course: Course, directory: string, setting: CrashSetting): Promise<readonly string[]> {
  // Parallel steps do not always send the same number of requests, so a run may be over before it comes to the last ones.
  for (let runs = 1; runs <= 3; runs++) {
    const room = await copyWorkspace(course.before, path.join(directory, `run-${String(runs)}`), setting);
    if (isAboutTheKey(point)) await rm(path.join(room.output, privateKeyFile));
    const killed = await room.runAndKill(point);
    if (killed.code === 0) continue;
    return killed.code === "SIGKILL" ? afterKill(point, course, room, setting) : failed("the run that was to be killed", killed);
  }
  return ["three runs were over before they came to that request"];
}

/** Whether the signing key is still to be made: so at each eighth request, on both sides of it. */
function isAboutTheKey({ command, request }: CrashPoint): boolean {
  return command === "create all" && request % 8 === 0;
}

async function afterKill(point: CrashPoint, { command, after, undo }: Course, room: Workspace, setting: CrashSetting): Promise<string[]> {
  const torn = await room.torn();
  const key = await room.privateKey();
  // What a half-done command left must be destroyable as it is. Each fourth request, on both sides of it, says enough.
  const undone = point.request % 4 === 0 && command !== undo.command ? await undoCopy(room, undo, setting) : [];
  await room.age();
  const again = await room.run(command);
  if (again.code !== 0) return [...torn, ...undone, ...failed("the same command, run again,", again)];
  return [
    ...torn,
    ...undone,
    ...(key === undefined || key === (await room.privateKey()) ? [] : ["the signing key was replaced"]),
    ...headed("the second run left something else:", differences(await room.snapshot(), after)),
  ];
}

async function undoCopy(room: Workspace, { command, left }: Course["undo"], setting: CrashSetting): Promise<string[]> {
  const copy = await copyWorkspace(room.directory, path.join(room.directory, "copy"), setting);
  const run = await copy.run(command);
  const what = `${command} straight after the kill`;
  return [...failed(what, run), ...headed(`${what} left something:`, differences((await copy.snapshot()).state, left))];
}

function failed(what: string, { code, stderr }: CliResult): string[] {
  return code === 0 ? [] : [`${what} ended with ${String(code)}\n${stderr}`];
}

function headed(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[head, ...lines].join("\n")];
}

/**
 * Kills the command line at one request of its life, runs the same command again, and says what is not then as it would be had nothing
 * happened. A point is one request, before or after Azure did what it asks; the kill is SIGKILL, so nothing of ours gets to tidy up.
 */
import fc from "fast-check";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { pictureOfWorld, seedWorld, type WorldPicture } from "../src/embedded-azure/index.js";
import { plainEnvironment, runCli, runWell, type CliRun } from "./cli-process.js";
import { clusterFlags, demoSeed, infraFlags, writeDemoFiles, type DemoFiles } from "./demo-cluster.js";

type Command = "create" | "destroy";

export interface CrashPoint {
  readonly command: Command;
  /** Which of the requests of one run it is, counted from 1, tokens included. */
  readonly request: number;
  /** Whether Azure has done what the request asks. */
  readonly when: "before" | "after";
}

export interface CrashTest {
  /** Every point there is. */
  readonly points: readonly CrashPoint[];
  /** What is wrong then; empty where all is well. */
  try(point: CrashPoint): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** `create:17:after`, as `--only` takes it. */
export function pointName({ command, request, when }: CrashPoint): string {
  return `${command}:${String(request)}:${when}`;
}

export function parsePoint(text: string): CrashPoint {
  const [, command, request, when] = /^(create|destroy):([1-9]\d*):(before|after)$/.exec(text) ?? [];
  if (command === undefined) throw new Error(`"${text}" is not a point such as create:17:after`);
  return { command: command as Command, request: Number(request), when: when as CrashPoint["when"] };
}

/** `count` of the points, drawn by the seed, in an order drawn by it too. */
export function drawPoints(points: readonly CrashPoint[], seed: number, count = points.length): readonly CrashPoint[] {
  const drawn = fc.sample(fc.shuffledSubarray([...points], { minLength: count, maxLength: count }), { seed, numRuns: 1 });
  return drawn[0] ?? [];
}

/** Makes the two worlds that every point starts from, by runs that nothing disturbs, and counts their requests. */
export async function prepareCrashTest(): Promise<CrashTest> {
  const root = await mkdtemp(path.join(tmpdir(), "aro-hcp-crash-"));
  try {
    return await prepareIn(root);
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

async function prepareIn(root: string): Promise<CrashTest> {
  const files = writeDemoFiles(root);
  const room = roomIn(path.join(root, "undisturbed"), files);
  await mkdir(room.directory);
  await seedWorld(room.world, demoSeed());
  const seeded = await room.picture();

  const requestsOf = async (command: Command): Promise<number> => {
    const record = path.join(root, `${command}.ndjson`);
    await runWell(room.words(command), { ...room.environment, ARO_HCP_LOCAL_RECORD: record });
    return (await readFile(record, "utf8")).trimEnd().split("\n").length;
  };
  // Certificates are made by the first command that opens a door; they are to be in the copies already.
  await runWell(["destroy", "infra", ...clusterFlags, "--yes"], room.environment);
  const templates = { create: path.join(root, "before-create"), destroy: path.join(root, "before-destroy") };
  await cp(room.world, templates.create, { recursive: true });
  const creates = await requestsOf("create");
  await cp(room.world, templates.destroy, { recursive: true });
  const created = { picture: await room.picture(), document: await room.document() };
  const destroys = await requestsOf("destroy");
  const problems = sameWorld("an undisturbed create and destroy", await room.picture(), seeded);
  if (problems.length > 0) throw new Error(problems.join("\n"));

  return {
    points: [...pointsOf("create", creates), ...pointsOf("destroy", destroys)],
    async try(point) {
      // Parallel steps do not always send the same number of requests, so a run may be over before it comes to the last ones.
      for (let runs = 1; runs <= 3; runs++) {
        const directory = await mkdtemp(path.join(root, "point-"));
        try {
          const disturbed = roomIn(directory, files);
          await cp(templates[point.command], disturbed.world, { recursive: true });
          const killed = await disturbed.runAndKill(point);
          if (killed.ended === 0) continue;
          if (killed.ended !== "SIGKILL") return failed("the run that was to be killed", killed);
          return await (point.command === "create" ? afterCreate(point, disturbed) : afterDestroy(disturbed));
        } finally {
          await rm(directory, { recursive: true, force: true });
        }
      }
      return ["three runs were over before they came to that request"];
    },
    close: () => rm(root, { recursive: true, force: true }),
  };

  async function afterCreate(point: CrashPoint, disturbed: Room): Promise<string[]> {
    const torn = await tornDocument(disturbed);
    // What a half-done create left must be destroyable as it is. Each fourth request, on both sides of it, says enough.
    const destroyed = point.request % 4 === 0 ? await destroyCopy(disturbed, files, seeded) : [];
    const again = await runCli(disturbed.words("create"), disturbed.environment);
    return [
      ...torn,
      ...destroyed,
      ...failed("the same command, run again,", again),
      ...sameWorld("the second create", await disturbed.picture(), created.picture),
      ...(isDeepStrictEqual(await disturbed.document(), created.document) ? [] : ["the output file is not that of an undisturbed run"]),
    ];
  }

  async function afterDestroy(disturbed: Room): Promise<string[]> {
    const again = await runCli(disturbed.words("destroy"), disturbed.environment);
    return [...failed("the same command, run again,", again), ...sameWorld("the second destroy", await disturbed.picture(), seeded)];
  }
}

function pointsOf(command: Command, requests: number): CrashPoint[] {
  return Array.from({ length: requests }, (_, index) => index + 1).flatMap((request) =>
    (["before", "after"] as const).map((when) => ({ command, request, when })),
  );
}

/** One world, and everything that is done to it, in a directory of its own. */
interface Room {
  readonly directory: string;
  readonly world: string;
  readonly environment: NodeJS.ProcessEnv;
  words(command: Command): string[];
  runAndKill(point: CrashPoint): Promise<CliRun>;
  picture(): Promise<WorldPicture>;
  /** The output file of create, parsed; undefined where there is none. @throws SyntaxError where it is torn. */
  document(): Promise<unknown>;
}

function roomIn(directory: string, files: DemoFiles): Room {
  const world = path.join(directory, "azure");
  const output = path.join(directory, "infra.json");
  const traffic = process.env["ARO_HCP_TEST_RECORD"];
  const environment = {
    ...plainEnvironment(directory),
    ARO_HCP_LOCAL_DIR: world,
    ...(traffic !== undefined && { ARO_HCP_LOCAL_RECORD: path.join(traffic, "crash.ndjson") }),
  };
  const words = (command: Command): string[] =>
    command === "create"
      ? ["create", "infra", ...infraFlags(files), "--output-file", output, "--yes"]
      : ["destroy", "infra", ...clusterFlags, "--yes"];
  return {
    directory,
    world,
    environment,
    words,
    async runAndKill({ command, request, when }) {
      const faults = path.join(directory, "faults.json");
      await writeFile(faults, JSON.stringify([{ request, when, kill: true }]));
      return runCli(words(command), { ...environment, ARO_HCP_LOCAL_FAULTS: faults });
    },
    picture: () => pictureOfWorld(world),
    async document() {
      const text = await readFile(output, "utf8").catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
  };
}

async function destroyCopy(disturbed: Room, files: DemoFiles, seeded: WorldPicture): Promise<string[]> {
  const copy = roomIn(path.join(disturbed.directory, "copy"), files);
  await cp(disturbed.world, copy.world, { recursive: true });
  const run = await runCli(copy.words("destroy"), copy.environment);
  return [...failed("destroy straight after the kill", run), ...sameWorld("destroy straight after the kill", await copy.picture(), seeded)];
}

async function tornDocument(disturbed: Room): Promise<string[]> {
  try {
    await disturbed.document();
    return [];
  } catch (error) {
    return [`the output file is torn after the kill: ${String(error)}`];
  }
}

function failed(what: string, { ended, stderr }: CliRun): string[] {
  return ended === 0 ? [] : [`${what} ended with ${String(ended)}\n${stderr}`];
}

/** Names what differs, by id and, where the thing is there, by its members. */
function sameWorld(after: string, found: WorldPicture, wanted: WorldPicture): string[] {
  if (isDeepStrictEqual(found, wanted)) return [];
  const differences = (["resources", "roleAssignments", "applications"] as const).flatMap((kind) =>
    differingKeys(found[kind], wanted[kind]).map((id) => `  ${id} ${differenceOf(found[kind][id], wanted[kind][id])}`),
  );
  const inFlight = found.operations.map(({ name, resource }) => `  ${resource} is still worked on by ${name}`);
  return [[`${after} left another world:`, ...differences, ...inFlight].join("\n")];
}

function differenceOf(found: unknown, wanted: unknown): string {
  if (found === undefined) return "is missing";
  if (wanted === undefined) return "is left over";
  const [is, was] = [found as object, wanted as object];
  const members = differingKeys(is, was).map(
    (key) => `${key} is ${JSON.stringify(Reflect.get(is, key))}, not ${JSON.stringify(Reflect.get(was, key))}`,
  );
  return `differs: ${members.join("; ")}`;
}

function differingKeys(found: object, wanted: object): string[] {
  const keys = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  return [...keys].filter((key) => !isDeepStrictEqual(Reflect.get(found, key), Reflect.get(wanted, key)));
}

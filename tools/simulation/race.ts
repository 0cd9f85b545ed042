/** Runs one race on one emulator, in an order that the seed chooses, and reports what is wrong afterwards. One of three seeds kills a racer. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { arcFiles, directoryFiles } from "../../src/domain/directory-files.js";
import { lastLines, wrongCodes, type CliResult } from "../cli-process.js";
import type { Meanwhile } from "../demo-cluster.js";
import { amountProblems } from "./amounts.js";
import type { Command } from "./commands.js";
import type { KeyPair } from "./globals.js";
import { Place, type Outcome } from "./place.js";
import { failed, headed } from "./problems.js";
import { publicKeys, type Race } from "./races.js";
import { randomFrom } from "./random.js";
import { differences, withoutProtected } from "./snapshot.js";

/** Most racers start at almost the same time; the others meet in the middle of their runs. */
const longestOffsets = [0.01, 500, 60_000] as const;
/** Azure's dates have seconds. Without a pause, a race could create a version in the same second as the one before it. */
const pauseMs = 1000;
/** Later, most racers have ended. */
const lastKill = 400;

export async function race(scenario: Race, seed: number, keys: readonly KeyPair[]): Promise<Outcome> {
  const random = randomFrom(`race ${scenario.name} ${String(seed)}`);
  const kill = seed % 3 === 0 ? { racer: Math.floor(random() * scenario.racers.length), turn: Math.ceil(random() * lastKill) } : undefined;
  let begun = Infinity;
  const place = new Place({
    seed: `${scenario.name} ${String(seed)}`,
    latency: seed % 2 === 0 ? "none" : "recorded",
    onTurn: (turn) => {
      if (kill !== undefined && turn === begun + kill.turn) place.kill(racerName(kill.racer));
    },
  });
  try {
    writeKeys(place, keys);
    await place.seed(scenario.seed ?? {});
    const running = inRace(place, scenario, { random, isKilled: kill !== undefined, begin: () => (begun = place.schedule.count) });
    const problems = await running;
    return place.outcome(problems);
  } finally {
    place.close();
  }
}

interface Conditions {
  readonly random: () => number;
  readonly isKilled: boolean;
  /** Called when the racers start. */
  readonly begin: () => void;
}

async function inRace(place: Place, scenario: Race, { random, isKilled, begin }: Conditions): Promise<string[]> {
  const { before = [], racers, mayConflict = false, again, destroys, wanted = {}, refusal } = scenario;
  const inSequence = (commands: readonly (Command | Meanwhile)[], when: string) => sequence(place, commands, when);
  const empty = (await place.snapshot()).state;
  const unprepared = await inSequence(before, "before the race");
  if (unprepared.length > 0) return unprepared;
  await place.schedule.until(place.schedule.clockOf("pause").sleep(pauseMs));
  const prepared = (await place.snapshot()).state;

  begin();
  const longest = longestOffsets[Math.floor(random() * longestOffsets.length)] ?? 0;
  const offsets = racers.map(() => random() * longest);
  const results = await place.schedule.until(
    Promise.all(racers.map((racer, index) => place.start(racerName(index), racer, { afterMs: offsets[index] ?? 0, late: scenario.late }))),
  );
  const wasKilled = results.some(({ code }) => code === "SIGKILL");
  const problems = results.flatMap((result, index) => {
    const excused = result.code === "SIGKILL" || ((mayConflict || wasKilled) && isConflict(result));
    return excused ? [] : failed(`in the race: ${racerName(index)}`, result);
  });
  if (refusal !== undefined) {
    const isRefused = ({ code, stderr }: CliResult) => code === "SIGKILL" || (code !== 0 && stderr.includes(refusal));
    problems.push(...results.filter((one) => !isRefused(one)).map(({ stderr }) => `not refused with ${refusal}:\n${lastLines(stderr)}`));
    problems.push(...headed("a command that must be refused changed something:", differences((await place.snapshot()).state, prepared)));
  }
  if (problems.length > 0 || scenario.endsAfterRacers === true) return problems;
  for (const [index, { code }] of results.entries()) {
    if (code !== "SIGKILL") continue;
    const name = `${racerName(index)}, again`;
    const result = await place.run(name, racers[index] as Command);
    if (!(mayConflict && isConflict(result))) problems.push(...failed(`after its kill: ${name}`, result));
  }
  // A killed run may have left a version that nothing refers to. Without durations, two runs may each create one.
  const { versionsOfCertificate, versionsOfSecret, ...others } = wanted;
  const countsVersions = !isKilled && place.latency === "recorded";
  const amounts = countsVersions ? wanted : others;
  if (!mayConflict && !wasKilled) problems.push(...amountProblems(await place.azure(), amounts));
  problems.push(...(await inSequence(again, "after the race")));
  const after = (await place.snapshot()).state;
  problems.push(...amountProblems(await place.azure(), amounts), ...(await inSequence(again, "after the race, again")));
  const changed = differences((await place.snapshot()).state, after);
  if (changed.length > 0) problems.push(["the second run after the race changed something:", ...changed].join("\n"));
  problems.push(...(await inSequence(destroys, "at the end")));
  const left = differences(withoutProtected((await place.snapshot()).state), empty);
  if (left.length > 0) problems.push(["the end differs from the start:", ...left].join("\n"));
  return problems;
}

const racerName = (index: number): string => `racer ${String(index + 1)}`;

/** The first problem ends a sequence. */
async function sequence(place: Place, commands: readonly (Command | Meanwhile)[], when: string): Promise<string[]> {
  for (const [index, command] of commands.entries()) {
    if (typeof command !== "function") {
      await place.seed(command.seed);
      continue;
    }
    const title = command(place.directory).slice(0, 2).join(" ");
    const problems = failed(`${when}: ${title}`, await place.run(`${when}, ${String(index + 1)}: ${title}`, command));
    if (problems.length > 0) return problems;
  }
  return [];
}

/** A failure that says what happened, with a code of this program. */
function isConflict({ code, stderr }: CliResult): boolean {
  return typeof code === "number" && !wrongCodes.includes(code) && /ARO-(?!BUG)[A-Z]+-\d{3}/.test(stderr);
}

/** The key pair and the onboarding key of the output directory, and the public keys of publications. */
function writeKeys({ directory, output }: Place, keys: readonly KeyPair[]): void {
  const [first, second] = keys.filter(({ privateKey }) => privateKey.asymmetricKeyDetails?.modulusLength === 4096);
  if (first === undefined || second === undefined) throw new Error("a race needs two long keys");
  const publicPem = ({ publicKey }: KeyPair): string => publicKey.export({ type: "spki", format: "pem" }).toString();
  const privatePem = first.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  const write = (file: string, text: string, mode = 0o644): void => writeFileSync(file, text, { mode });
  mkdirSync(output, { recursive: true });
  write(path.join(output, directoryFiles.privateKey), privatePem, 0o600);
  write(path.join(output, directoryFiles.publicKey), publicPem(first));
  write(path.join(output, arcFiles.privateKey), privatePem, 0o600);
  for (const [index, file] of publicKeys.entries()) write(path.join(directory, file), publicPem(index === 0 ? first : second));
}

/** Runs one race on a served emulator of its own, and reports what is wrong afterwards. */
import { copyFile, cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { seedState, stateSnapshot, type StateSnapshot } from "../src/emulator/index.js";
import { arcFiles } from "../src/domain/arc/names.js";
import { directoryFiles } from "../src/domain/directory-files.js";
import { lastLines, wrongCodes, type CliResult } from "./cli-process.js";
import { differences } from "./crash-snapshot.js";
import type { Meanwhile } from "./demo-cluster.js";
import { outputDirectory, publicKeys, type Amounts, type Command, type Race } from "./race-scenarios.js";

export interface RaceSetting {
  /** The directory of a state with certificates. */
  readonly state: string;
  /** The directory of a key pair and an onboarding key, so that no race waits for a 4096-bit key, and of the public keys. */
  readonly keys: string;
  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CliResult>;
  /** The settings of the emulator, as environment variables. */
  readonly emulator: Readonly<Record<string, string>>;
  /** Serves the state of a directory with these settings; returns how to stop. */
  serve(directory: string, emulator: RaceSetting["emulator"]): Promise<() => Promise<void>>;
  /** Whether to compare the numbers of versions of certificates and secrets; asked after the race. */
  countsVersions(): boolean;
  /** Milliseconds that a racer waits before it starts. */
  offset(): number;
}

const keyFiles = [directoryFiles.privateKey, directoryFiles.publicKey, arcFiles.privateKey] as const;

/** `directory` is empty. Returns the problems; none if all is as it must be. */
export async function runRace(race: Race, directory: string, setting: RaceSetting): Promise<string[]> {
  const state = path.join(directory, "azure");
  await cp(setting.state, state, { recursive: true });
  if (race.seed !== undefined) await seedState(state, race.seed);
  await mkdir(path.join(directory, outputDirectory));
  for (const file of keyFiles) await copyFile(path.join(setting.keys, file), path.join(directory, outputDirectory, file));
  for (const file of publicKeys) await copyFile(path.join(setting.keys, file), path.join(directory, file));
  const stop = race.separateEmulators ? undefined : await setting.serve(state, setting.emulator);
  try {
    return await inRace(race, directory, state, setting);
  } finally {
    await stop?.();
  }
}

async function inRace(race: Race, directory: string, state: string, setting: RaceSetting): Promise<string[]> {
  const { before = [], racers, mayConflict = false, again, destroys } = race;
  const { versionsOfCertificate, versionsOfSecret, ...others } = race.wanted ?? {};
  const environment = { ARO_HCP_LOCAL_DIR: state, ...(race.separateEmulators && setting.emulator) };
  const run = (command: Command) => setting.run(command(directory), environment);
  /** The first problem ends a sequence. */
  const inSequence = async (commands: readonly (Command | Meanwhile)[], what: string): Promise<string[]> => {
    for (const command of commands) {
      if (typeof command !== "function") {
        await seedState(state, command.seed);
        continue;
      }
      const problems = failed(what, command(directory), await run(command));
      if (problems.length > 0) return problems;
    }
    return [];
  };
  const empty = await stateSnapshot(state);
  const unprepared = await inSequence(before, "before the race");
  if (unprepared.length > 0) return unprepared;
  // Azure's dates have seconds. Otherwise, a time-scaled race could create a version in the same second as the one before it.
  await pause(1000);

  const results = await Promise.all(
    racers.map(async (racer) => {
      await pause(setting.offset());
      return [racer(directory), await run(racer)] as const;
    }),
  );
  const problems = results.flatMap(([args, result]) => {
    const conflicted = mayConflict && result.code !== 0 && isConflict(result);
    return conflicted ? [] : failed("in the race", args, result);
  });
  if (problems.length > 0) return problems;
  const wanted = setting.countsVersions() ? (race.wanted ?? {}) : others;
  if (!mayConflict) problems.push(...amountProblems(await stateSnapshot(state), wanted));
  problems.push(...(await inSequence(again, "after the race")));
  const after = await stateSnapshot(state);
  problems.push(...amountProblems(after, wanted), ...(await inSequence(again, "after the race, again")));
  const changed = differences(await stateSnapshot(state), after);
  if (changed.length > 0) problems.push(["the second run after the race changed something:", ...changed].join("\n"));
  problems.push(...(await inSequence(destroys, "at the end")));
  const left = differences(await stateSnapshot(state), empty);
  if (left.length > 0) problems.push(["the end differs from the start:", ...left].join("\n"));
  return problems;
}

/** A failure that says what happened, with a code of this program. */
function isConflict({ code, stderr }: CliResult): boolean {
  return typeof code === "number" && !wrongCodes.includes(code) && /ARO-(?!BUG)[A-Z]+-\d{3}/.test(stderr);
}

function failed(when: string, args: readonly string[], { code, stderr }: CliResult): string[] {
  return code === 0 ? [] : [`${when}: ${args.slice(0, 2).join(" ")} exited with ${String(code)}\n${lastLines(stderr)}`];
}

/** Compares the amounts, and finds two role assignments that grant the same. */
export function amountProblems({ applications, vaults = {}, resources, roleAssignments }: StateSnapshot, wanted: Amounts): string[] {
  const counted = (what: string, name: string, found: number, amount: number | undefined) =>
    amount === undefined || amount === found ? [] : [`${what} ${name}: ${String(found)}, not ${String(amount)}`];
  const ofSets = (Object.values(applications) as SnapshotApplication[]).filter(({ uniqueName }) => uniqueName?.startsWith("aro-hcp."));
  const contents = Object.values(vaults) as SnapshotVault[];
  const blobs = Object.values(resources).flatMap((each) => Object.entries((each as SnapshotContainer).properties?.blobs ?? {}));
  const keySets = blobs.filter(([name]) => name === "openid/v1/jwks").map(([, { content = "" }]) => Buffer.from(content, "base64"));
  const granted = Object.values(roleAssignments).map((each) => {
    const { principalId, roleDefinitionId, scope } = each as Record<string, unknown>;
    return JSON.stringify([principalId, roleDefinitionId, scope]).toLowerCase();
  });
  return [
    ...ofSets.flatMap(({ displayName, certificates = [], secrets = 0 }) => [
      ...counted("certificates of application", displayName, certificates.length, wanted.keysOfApplication),
      ...counted("client secrets of application", displayName, secrets, wanted.clientSecrets),
    ]),
    ...contents.flatMap(({ certificates, secrets }) => [
      ...Object.entries(certificates).flatMap(([name, { versions }]) =>
        counted("versions of certificate", name, versions.length, wanted.versionsOfCertificate),
      ),
      ...Object.entries(secrets)
        .filter(([, { managed }]) => managed !== true)
        .flatMap(([name, { versions }]) => counted("versions of secret", name, versions.length, wanted.versionsOfSecret)),
    ]),
    ...keySets.flatMap((content) =>
      counted("keys of", "the issuer", (JSON.parse(content.toString()) as { keys: unknown[] }).keys.length, wanted.publishedKeys),
    ),
    ...granted.filter((each, index) => granted.indexOf(each) !== index).map((each) => `the role is assigned twice: ${each}`),
  ];
}

interface SnapshotApplication {
  readonly displayName: string;
  readonly uniqueName?: string;
  readonly certificates?: readonly string[];
  readonly secrets?: number;
}

interface SnapshotVault {
  readonly certificates: Readonly<Record<string, { readonly versions: readonly unknown[] }>>;
  readonly secrets: Readonly<Record<string, { readonly versions: readonly unknown[]; readonly managed?: boolean }>>;
}

interface SnapshotContainer {
  readonly properties?: { readonly blobs?: Readonly<Record<string, { readonly content?: string }>> };
}

/** Runs a command for each selected member of a fleet at once, each as it would run alone. One failure stops no other. */
import { basename, join } from "node:path";
import { createPacing } from "../azure/pacing.js";
import { catalogue } from "../errors/catalogue.js";
import { exitCodes } from "../errors/exit-codes.js";
import { Failure, type Problem } from "../errors/failure.js";
import type { FailureJson } from "../errors/format.js";
import { printable } from "../render/printable.js";
import { withSharedEmulator } from "../run/connect.js";
import type { OtherCommand, RunOther } from "../run/other-command.js";
import { isForAll } from "../run/part-verification.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { resolveSettings } from "../settings/resolve.js";
import type { Resolved } from "../settings/settings.js";
import { readFleet, type Fleet, type Member } from "./fleet-file.js";
import { ownsApplications, runMember } from "./member-commands.js";
import { readPrincipals } from "./files/principals-file.js";
import type { Verb } from "./domain/member-kinds.js";
import { memberFiles, runMemberCommands, type MemberEnd } from "./member-run.js";
import { writeResult } from "./results.js";
import { placeOf, selected } from "./selection.js";

export type FleetCommand = "create fleet" | "verify fleet" | "destroy fleet";

export interface PreparedFleet {
  readonly fleet: Fleet;
  readonly members: readonly Member[];
  /** The name of its file, for people. */
  readonly subject: string;
  readonly runId: string;
  /** The credentials file of each member, where the fleet is spread over several. */
  readonly credsOf: (member: Member) => string | undefined;
}

type FleetSettings = Resolved<FleetCommand>;

/** Reads the file and the settings of all its members, before anything is written. @throws every problem, with file and line */
export async function prepareFleet(
  verb: Verb,
  { settings, origins }: FleetSettings,
  port: ProcessPort,
  names = "",
): Promise<PreparedFleet> {
  const fleet = await readFleet(settings.fleetFile);
  const members = selected(fleet, names, settings.shard);
  const problems = new Map<string, Problem>();
  for (const member of fleet.members) {
    for (const problem of await settingProblems(verb, member, connectionFlags({ settings, origins })))
      problems.set(`${problem.origin} ${problem.message}`, problem);
  }
  if (problems.size > 0)
    throw new Failure("ARO-FILE-003", `${fleet.path} has settings that cannot be used`, { problems: [...problems.values()] });
  const runId = settings.runId ?? port.clock.now().toISOString();
  const credsOf = await spread(fleet, settings.principalsFile);
  return { fleet, members, subject: basename(fleet.path), runId, credsOf };
}

/**
 * In turn, so that each principal has as many. But an application may be changed by its owner alone: a member that owns some keeps its principal
 * when the file changes.
 */
async function spread({ members }: Fleet, file: string | undefined): Promise<PreparedFleet["credsOf"]> {
  if (file === undefined) return () => undefined;
  const files = await readPrincipals(file);
  return (member) => files[(ownsApplications(member) ? placeOf(member.name, files.length) : members.indexOf(member)) % files.length];
}

async function settingProblems(verb: Verb, member: Member, flags: OtherCommand["flags"]): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  await runMember(verb, member, { outputDir: ".", dryRun: false, isCheck: true }, async ({ command, flags: own }) => {
    try {
      await resolveSettings(command, {
        flags: { ...(command === "create key-pair" ? {} : flags), ...own },
        environment: {},
        config: member.settings,
        readConfig: () => Promise.reject(new Error("there is no other file")),
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems.push(...error.problems.map((problem) => ({ ...problem, message: `${problem.message} (${command} of ${member.name})` })));
    }
    return { issuerURL: "https://issuer.example.com" };
  });

  return problems;
}

/** What the command line says about the connection is for all members. */
export function connectionFlags({ settings, origins }: Pick<FleetSettings, "settings" | "origins">): OtherCommand["flags"] {
  const keys = ["cloud", "azureCreds", "subscription", "debug"] as const;
  return Object.fromEntries(
    keys.flatMap((key) =>
      settings[key] === undefined || origins[key] === undefined || origins[key].source === "default" ? [] : [[key, settings[key]]],
    ),
  );
}

export interface FleetRun extends PreparedFleet {
  readonly verb: Verb;
  readonly resolved: FleetSettings;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly port: ProcessPort;
  readonly context: RunContext;
  readonly runOther: RunOther;
}

export type RunOne = (member: Member) => Promise<MemberEnd>;

/** `work` runs members, in whatever order they need. The result of each is in its directory when it has ended. */
export function withMembers<T>(fleetRun: FleetRun, work: (runOne: RunOne) => Promise<T>): Promise<T> {
  const { verb, resolved, dryRun, yes, context, runOther, members, credsOf } = fleetRun;
  const { settings } = resolved;
  const flags = { ...connectionFlags(resolved), ...(verb !== "verify" && { ...(dryRun && { dryRun }), ...(yes && { yes }) }) };
  const isLocal = (member: Member) => (flags.cloud ?? member.settings.value["cloud"]) === "local";
  const pacing = createPacing();
  const run = (port: ProcessPort) =>
    work(async (member) => {
      const startedAt = port.clock.now().toISOString();
      const azureCreds = credsOf(member);
      const ended = await runMemberCommands({
        ...{ verb, member, dryRun, port: { ...port, pacing }, runOther },
        flags: { ...flags, ...(azureCreds !== undefined && { azureCreds }) },
        outputDir: settings.outputDir,
        signal: context.signal,
      });
      const end = { ...ended, code: codeOf(ended, context.signal) };
      if (!dryRun) await writeEnd(fleetRun, member, end, startedAt);
      return end;
    });
  return members.some(isLocal) ? withSharedEmulator(fleetRun.port, run) : run(fleetRun.port);
}

/** A member is stopped by a signal, whatever stops the fleet: its code is that of the reason. */
function codeOf({ code }: MemberEnd, { aborted, reason }: AbortSignal): number {
  const isStopped = code === exitCodes.interrupted || code === exitCodes.terminated;
  return aborted && isStopped && reason instanceof Failure ? catalogue[reason.code].exit : code;
}

export function writeEnd({ verb, resolved, runId, port }: FleetRun, member: Member, end: MemberEnd, startedAt: string): Promise<void> {
  const { outputDir, shard } = resolved.settings;
  return writeResult(outputDir, {
    name: member.name,
    kind: member.kind,
    command: `${verb} fleet`,
    run: runId,
    shard,
    exitCode: end.code,
    startedAt,
    endedAt: port.clock.now().toISOString(),
    failures: end.failures,
    checks: end.checks,
  });
}

/** The first failure of the worst code, as that of the member. */
export function failureOfMember({ name }: Member, { code, failures }: MemberEnd, outputDir: string): Failure {
  const first = failures.find(({ exit }) => exit === code) ?? failures[0];
  if (first === undefined) return new Failure("ARO-BUG-001", `${name} ended with the exit code ${String(code)} and without a failure`);
  return failureFrom(first, name, join(outputDir, name, memberFiles.log));
}

function failureFrom({ code, message, because, problems = [], next, azure }: FailureJson, name: string, log: string): Failure {
  const known = Object.keys(catalogue).find((one) => one === code) as Failure["code"] | undefined;
  const forAll = next.filter(isForAll);
  const rest = forAll.length === next.length ? [] : [`${printable(log)} has the advice for ${name} alone`];
  return new Failure(known ?? "ARO-BUG-001", `${name}: ${message}`, { because, problems, next: [...forAll, ...rest], azure });
}

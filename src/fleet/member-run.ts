/** Runs the commands of one member in this process, as if each were started alone, and keeps what they say. */
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { toFailure } from "../azure/to-failure.js";
import { catalogue } from "../errors/catalogue.js";
import { Failure } from "../errors/failure.js";
import { failureJson, type FailureJson } from "../errors/format.js";
import { withDirectory } from "../files/text-file.js";
import { appender } from "../render/append-file.js";
import { streamTo } from "../render/text-stream.js";
import type { ShownResult } from "../render/verification-text.js";
import type { OtherCommand, RunOther } from "../run/other-command.js";
import type { EndSignal, ProcessPort } from "../run/process-port.js";
import { adviceRenderer } from "../run/connection-flags.js";
import { variableOf } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import { parseJsonObject } from "../text/json.js";
import { rfc3339 } from "../text/rfc3339.js";
import { worstCode } from "./exit-code.js";
import type { Member } from "./fleet-file.js";
import { runMember, type MemberCommand, type MemberPlace } from "./member-commands.js";
import type { Verb } from "./domain/member-kinds.js";

export interface MemberRequest extends MemberPlace {
  readonly verb: Verb;
  readonly member: Member;
  /** What the command line of the fleet says for all: the cloud, and that the deletion is confirmed. */
  readonly flags: OtherCommand["flags"];
  readonly port: ProcessPort;
  readonly signal: AbortSignal;
  readonly runOther: RunOther;
}

export interface MemberEnd {
  readonly code: number;
  readonly failures: readonly FailureJson[];
  /** Those of a plan, or those made. */
  readonly changes: number;
  /** Of a verification. */
  readonly checks: readonly ShownResult[];
}

export const memberFiles = { events: "events.ndjson", log: "log.txt", result: "result.json" } as const;

/** Never rejects for what happens to the member. A dry run leaves no file. */
export async function runMemberCommands(request: MemberRequest): Promise<MemberEnd> {
  const directory = join(request.outputDir, request.member.name);
  try {
    return await withDirectory(directory, [], async () => {
      const log = request.dryRun ? undefined : appender(join(directory, memberFiles.log), () => undefined);
      try {
        return await runAll(request, directory, (text) => log?.line(text));
      } finally {
        log?.close();
      }
    });
  } catch (error) {
    return endOfFailure(toFailure(error, request.member.name));
  }
}

async function runAll(request: MemberRequest, directory: string, onText: (text: string) => void): Promise<MemberEnd> {
  const { verb, member, dryRun, port } = request;
  const ends: MemberEnd[] = [];
  try {
    await runMember(verb, member, request, async (command) => {
      onText(`# ${rfc3339(port.clock.now())} ${command.command}\n`);
      const { end, document } = await runOne(request, command, onText, dryRun ? undefined : directory);
      ends.push(end);
      // What follows needs it. Of a verification, each part counts.
      if (end.code !== 0 && verb !== "verify") throw new MemberStopped();
      return document;
    });
  } catch (error) {
    if (!(error instanceof MemberStopped)) ends.push(endOfFailure(toFailure(error, member.name)));
  }
  return {
    code: worstCode(ends.map(({ code }) => code)),
    failures: ends.flatMap(({ failures }) => failures),
    changes: ends.reduce((sum, { changes }) => sum + changes, 0),
    checks: ends.flatMap(({ checks }) => checks),
  };
}

function endOfFailure(failure: Failure): MemberEnd {
  return { code: catalogue[failure.code].exit, failures: [failureJson(failure, adviceRenderer({}))], changes: 0, checks: [] };
}

async function runOne(
  request: MemberRequest,
  { command, flags }: MemberCommand,
  onText: (text: string) => void,
  directory: string | undefined,
): Promise<{ readonly end: MemberEnd; readonly document: Readonly<Record<string, unknown>> }> {
  const { member, signal, port } = request;
  const printed: string[] = [];
  const takesAll = command !== "create key-pair";
  const outputEvents = directory !== undefined && takesAll ? { outputEvents: join(directory, memberFiles.events) } : {};
  const code = await request.runOther({
    command,
    flags: { output: "json", ...outputEvents, ...(takesAll && request.flags), ...flags },
    config: member.settings,
    port: memberPort(port, signal, { stdout: (text) => printed.push(text), stderr: onText }),
  });
  const document = parseJsonObject(printed.join("")) ?? {};
  return {
    document,
    end: {
      code,
      failures: listIn<FailureJson>(document, "failures"),
      changes: changesIn(document),
      checks: listIn<ShownResult>(document, "results"),
    },
  };
}

/** Of the plan of a create or of a destroy, or of a run. */
function changesIn(document: Readonly<Record<string, unknown>>): number {
  if (document["dryRun"] === true) return Number(document["changes"] ?? listIn(document, "removed").length);
  const counts = (document["counts"] ?? {}) as Readonly<Record<string, number>>;
  return ["created", "updated", "replaced", "removed"].reduce((sum, word) => sum + (counts[word] ?? 0), 0);
}

function listIn<Item>(document: Readonly<Record<string, unknown>>, key: string): readonly Item[] {
  const list = document[key];
  return Array.isArray(list) ? (list as readonly Item[]) : [];
}

class MemberStopped extends Error {}

/** The settings of a member are its own: a variable for one command would be one for all. The summary of a job is that of the fleet. */
function environmentOf({ environment }: ProcessPort): NodeJS.ProcessEnv {
  const gone: ReadonlySet<string> = new Set([...allOptions.map(variableOf), "GITHUB_STEP_SUMMARY"]);
  return Object.fromEntries(Object.entries(environment).filter(([variable]) => !gone.has(variable)));
}

interface Received {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** A process without a terminal, which ends when the fleet does. */
function memberPort(port: ProcessPort, signal: AbortSignal, { stdout, stderr }: Received): ProcessPort {
  const { onEvent: _ofFleet, ...own } = port;
  return {
    ...own,
    environment: environmentOf(port),
    args: [],
    stdin: new PassThrough().end(),
    stdout: streamTo(stdout),
    stderr: streamTo(stderr),
    onSignal(name, listener) {
      if (name !== signalOf(signal) && signal.aborted) return () => undefined;
      const onAbort = () => {
        if (name === signalOf(signal)) listener();
      };
      if (signal.aborted) queueMicrotask(onAbort);
      signal.addEventListener("abort", onAbort, { once: true });
      return () => signal.removeEventListener("abort", onAbort);
    },
    endBy: () => undefined,
    onIdle: () => () => undefined,
    exit: () => undefined,
  };
}

/** A member ends as the fleet does. */
function signalOf({ reason }: AbortSignal): EndSignal {
  return reason instanceof Failure && reason.code === "ARO-RUN-005" ? "SIGTERM" : "SIGINT";
}

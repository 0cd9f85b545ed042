/** Runs the commands of one member in this process, as if each were started alone, and keeps what they say. */
import { worstCode } from "../errors/exit-codes.js";
import { join } from "node:path";
import { toFailure } from "../azure/to-failure.js";
import { catalogue } from "../errors/catalogue.js";
import type { Failure } from "../errors/failure.js";
import { failureJson, type FailureJson } from "../errors/format.js";
import { withDirectory } from "../files/text-file.js";
import { appender } from "../render/append-file.js";
import type { ShownResult } from "../render/verification-text.js";
import type { OtherCommand, RunOther } from "../run/other-command.js";
import type { ProcessPort } from "../run/process-port.js";
import { listIn, runQuietly } from "../run/quiet-run.js";
import { adviceRenderer } from "../run/connection-flags.js";
import { rfc3339 } from "../text/rfc3339.js";
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
  const takesAll = command !== "create key-pair";
  const outputEvents = directory !== undefined && takesAll ? { outputEvents: join(directory, memberFiles.events) } : {};
  const { code, document } = await runQuietly({
    ...{ command, port, signal, onText, config: member.settings, runOther: request.runOther },
    flags: { ...outputEvents, ...(takesAll && request.flags), ...flags },
  });
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

class MemberStopped extends Error {}

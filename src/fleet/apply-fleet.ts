/** `create fleet`, `destroy fleet`: what members need before them, consent once, and one summary. */
import { worstCode } from "../errors/exit-codes.js";
import { runTasks } from "../engine/run-tasks.js";
import type { Task } from "../engine/run-result.js";
import { walk } from "../engine/walk.js";
import { Failure } from "../errors/failure.js";
import { askYesNo, canAsk } from "../render/prompt.js";
import { printDocument } from "../render/document.js";
import { table } from "../render/table.js";
import { sentence } from "../render/wrapped.js";
import { confirmByTyping, requireConsent } from "../run/consent.js";
import { runOptions } from "../run/engine-options.js";
import { finish } from "../run/finish.js";
import type { RunOther } from "../run/other-command.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { withRunContext } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import type { Member } from "./fleet-file.js";
import { failureOfMember, prepareFleet, withMembers, writeEnd, type FleetRun } from "./fleet-run.js";
import { checkRoom } from "./room-check.js";
import { memberKinds } from "./domain/member-kinds.js";
import { kinds } from "./member-facts.js";
import type { MemberEnd } from "./member-run.js";

type Command = "create fleet" | "destroy fleet";

interface FleetModule<C extends Command> {
  /** `names`: of the members; all by default. */
  run(resolved: Resolved<C>, port: ProcessPort, names: string | undefined, around: { readonly runOther: RunOther }): Promise<number>;
}

function moduleOf<C extends Command>(command: C): FleetModule<C> {
  const verb = command === "create fleet" ? "create" : "destroy";
  return {
    async run(resolved, port, names, { runOther }) {
      const { settings, notices } = resolved;
      const prepared = await prepareFleet(verb, resolved, port, names);
      return withRunContext({ ...settings, command }, notices, port, async (context) => {
        if (verb === "create") await checkRoom(prepared, resolved, port, context);
        await confirm(command, prepared.members, prepared.subject, settings, context);
        // Deletions were confirmed for all. A create needs no consent; where one for a single cluster does, a fleet does not give it.
        const yes = verb === "destroy";
        const fleetRun: FleetRun = { ...prepared, verb, resolved, dryRun: settings.dryRun, yes, port, context, runOther };
        return settings.dryRun ? planFleet(command, fleetRun) : runFleet(command, fleetRun);
      });
    },
  };
}

/** Sets and management clusters, and each cluster as soon as its set is created. */
export const createFleet = moduleOf("create fleet");
/** The clusters, and then the sets and management clusters that they used. */
export const destroyFleet = moduleOf("destroy fleet");

interface Consent {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

async function confirm(
  command: Command,
  members: readonly Member[],
  subject: string,
  settings: Consent,
  context: RunContext,
): Promise<void> {
  const { dryRun, yes } = settings;
  if (command === "destroy fleet") requireConsent(`destroying ${membersText(members)} of ${subject}`, settings, context);
  const { port, people, signal } = context;
  if (members.length === 0 || dryRun || yes || !canAsk({ input: port.stdin, output: people })) return;
  people.print(sentence(people, `${command} ${subject}: ${members.map(({ name }) => name).join(", ")}`));
  if (command === "destroy fleet") return confirmByTyping(subject, `the deletion of ${membersText(members)}`, context, undefined);
  const streams = { input: port.stdin, output: people, signal, turn: port.clock.turn };
  if (!(await askYesNo(`Create ${membersText(members)}?`, streams))) throw new Failure("ARO-RUN-002", "declined; nothing was changed");
}

/** "1 identity set, 20 clusters" */
export function membersText(members: readonly Member[]): string {
  const counts = memberKinds.flatMap((kind) => {
    const count = members.filter((member) => member.kind === kind).length;
    return count === 0 ? [] : [plural(count, kinds[kind].label)];
  });
  return counts.length === 0 ? "no member" : counts.join(", ");
}

interface MemberTask extends Task {
  readonly member: Member;
}

function idOf({ kind, name }: Member): string {
  return `${kind}/${name}`;
}

/** A cluster needs its set, and a set whose vault a management cluster reads may need that one. A destroy goes the other way. */
function tasksOf(members: readonly Member[], act: "create" | "remove"): readonly MemberTask[] {
  const before = (member: Member): readonly Member[] =>
    members.filter((other) => {
      const [first, then] = act === "create" ? [other, member] : [member, other];
      if (then.set === first) return true;
      return first.kind === "managementClusters" && then.settings.value["managementClusterFile"] !== undefined && then.kind !== first.kind;
    });
  return members.map((member) => ({
    id: idOf(member),
    title: `${kinds[member.kind].label} ${member.name}`,
    needs: before(member).map(idOf),
    resourceId: undefined,
    act,
    member,
  }));
}

async function runFleet(command: Command, fleetRun: FleetRun): Promise<number> {
  const { context, resolved, subject, members, runId } = fleetRun;
  const { concurrency, output, debug, shard } = resolved.settings;
  const act = command === "create fleet" ? "create" : "remove";
  const ends = new Map<string, MemberEnd>();
  const result = await withMembers(fleetRun, (runOne) =>
    runTasks(
      tasksOf(members, act),
      async ({ id, member }) => {
        const end = await runOne(member);
        ends.set(id, end);
        if (end.code === 0) return { act: end.changes > 0 ? act : ("keep" as const) };
        throw context.signal.aborted ? context.signal.reason : failureOfMember(member, end, resolved.settings.outputDir);
      },
      runOptions(context, concurrency, { command, subject }),
    ),
  );
  for (const { step, because } of result.skipped) {
    const member = members.find((one) => idOf(one) === step);
    const failed = because.flatMap((id) => ends.get(id) ?? []);
    if (member === undefined) continue;
    const end = {
      code: worstCode(failed.map(({ code }) => code)),
      failures: failed.flatMap(({ failures }) => failures),
      changes: 0,
      checks: [],
    };
    ends.set(step, end);
    await writeEnd(fleetRun, member, end, fleetRun.port.clock.now().toISOString());
  }
  const code = finish(context, {
    ...{ command, subject, result, output: output === "json" ? "json" : "text", debug },
    about: { run: runId, ...(shard !== undefined && { shard }) },
    sections: new Map(members.map((member) => [idOf(member), kinds[member.kind].label])),
    document: {
      members: members.map((member) => {
        const end = ends.get(idOf(member));
        return { name: member.name, kind: member.kind, ...(end && { exitCode: end.code, failures: end.failures }) };
      }),
    },
  });
  return context.signal.aborted ? code : worstCode([...ends.values()].map((end) => end.code));
}

async function planFleet(command: Command, fleetRun: FleetRun): Promise<number> {
  const { context, resolved, members, runId, subject } = fleetRun;
  const { concurrency, output } = resolved.settings;
  const { signal, port, result } = context;
  // While its clusters exist, the removal of a set is refused.
  const isLater = (member: Member) => command === "destroy fleet" && members.some(({ set }) => set === member);
  const nodes = members.filter((member) => !isLater(member)).map((member) => ({ id: idOf(member), title: member.name, needs: [], member }));
  const ends = new Map<Member, MemberEnd>();
  await withMembers(fleetRun, (runOne) =>
    walk(
      nodes,
      async ({ member }) => {
        ends.set(member, await runOne(member));
      },
      { concurrency, signal, elapsedMs: port.clock.elapsedMs },
    ),
  );
  if (signal.aborted) throw signal.reason;
  const code = worstCode([...ends.values()].map((end) => end.code));
  const rows = members.map((member) => ({ member, end: ends.get(member) }));
  if (output === "json") {
    printDocument(result, {
      ok: code === 0,
      command,
      run: runId,
      dryRun: true,
      changes: rows.reduce((sum, { end }) => sum + (end?.changes ?? 0), 0),
      members: rows.map(({ member: { name, kind }, end }) => ({
        name,
        kind,
        exitCode: end?.code,
        changes: end?.changes,
        failures: end?.failures ?? [],
      })),
    });
    return code;
  }
  result.show(
    table(
      result,
      ["MEMBER", "KIND", "PLAN"],
      rows.map(({ member, end }) => [member.name, kinds[member.kind].label, isLater(member) ? "after its clusters" : planOf(end)]),
    ),
  );
  result.print(sentence(result, `${membersText(members)} of ${subject}; this is a plan: nothing was changed`));
  return code;
}

function planOf(end: MemberEnd | undefined): string {
  if (end === undefined) return "not read";
  const [failure] = end.failures;
  return failure === undefined ? plural(end.changes, "change") : `${failure.code}: ${failure.message}`;
}

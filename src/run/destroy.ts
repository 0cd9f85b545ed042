/** Applies removals for every command that deletes something: show, confirm, delete, report. */
import { toFailure } from "../azure/to-failure.js";
import { sameId, isIdOf } from "../domain/resource-id.js";
import { removeAll } from "../engine/remove.js";
import type { RunResult } from "../engine/run-result.js";
import type { Removal } from "../engine/step.js";
import { advise, type Advice, type Command } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { blockedRemoval } from "../removal/blocked.js";
import { leftOf, type Found, type Kept } from "../removal/owned.js";
import type { Recoverable } from "../removal/recoverable.js";
import type { cascadedResources } from "../removal/selection.js";
import { unlessUsedElsewhere, usedElsewhere } from "../removal/users-elsewhere.js";
import { printDocument } from "../render/document.js";
import { planText } from "../render/plan-text.js";
import type { Azure } from "../azure/azure.js";
import { lineOfRemoval, otherLine, removalRows } from "./plan-rows.js";
import { itemsOfRemovals } from "./reported-resources.js";
import { removalOutline } from "./run-outline.js";
import { confirmByTyping, type PlanSettings } from "./consent.js";
import { runOptions } from "./engine-options.js";
import { finish } from "./finish.js";
import type { RunContext } from "./run-context.js";
import type { ProcessPort } from "./process-port.js";
import { placeOf, showPlan, targetOf, type TargetNames } from "./target.js";
import { withConnection } from "./with-connection.js";
import { plural } from "../text/plural.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Clock } from "../azure/clock.js";

export interface DestroySettings extends PlanSettings {
  readonly concurrency: number;
  readonly debug: boolean;
  readonly output: "text" | "json";
  /** Whether soft-deleted resources are purged. */
  readonly purge?: boolean;
  /** Whether what others have in what is deleted goes with it. */
  readonly deleteForeign?: boolean;
}

/** What is known before Azure is read. */
interface Destroyed {
  readonly command: string;
  /** The text to type as confirmation, also shown in the summary. */
  readonly subject: string;
  /** The subject in the result document: `{ infraId }`; otherwise its name. */
  readonly about?: Readonly<Record<string, string>>;
  /** Shown above the plan. */
  readonly names: TargetNames;
}

export interface DestroyRequest<F extends Found = Found> {
  readonly found: F;
  /** Finds again what is left: before and after a prompt, and after the removals until nothing is, because Azure's lists lag. */
  readonly findAgain: () => Promise<F>;
  /** Resources without their own removal: deleting their resource group deletes them. */
  readonly cascaded?: Readonly<ReturnType<typeof cascadedResources>>;
  /** Resource groups that an Azure service deletes with one of its resources, and what it deletes in them. */
  readonly byAzure?: readonly { readonly id: string; readonly title: string; readonly why: string; readonly origin?: "foreign" }[];
  /** The ID of a vault of others that stays: only contents are deleted. */
  readonly sharedVault?: string | undefined;
  /** The reason if the removal is not allowed. */
  readonly refusal?: Failure | undefined;
  /** Whether other clusters use what is deleted, decided again after the prompt, if their use does not show in the remaining resources. */
  readonly usedByOthers?: (last: F) => Failure | undefined | Promise<Failure | undefined>;
  /** The notice of a run that deletes nothing: what exists instead of the given names, because they may be mistyped. */
  readonly nothingFound?: () => string | undefined | Promise<string | undefined>;
  /** Said below the plan if something is deleted. */
  readonly notice?: string | undefined;
  /** Reported after the removals, whatever their result: something that they leave. */
  readonly afterwards?: Failure | undefined;
  /** Deletes what was kept for a cluster that is gone by the end; without it, a rerun does. */
  readonly again?: Command;
  /** Manual follow-up actions. */
  readonly next?: readonly Advice[];
}

export type DestroyCommandSettings = DestroySettings & Omit<Parameters<typeof withConnection>[0], "command">;

interface DestroyCommand extends Destroyed {
  readonly settings: DestroyCommandSettings;
  readonly notices: readonly string[];
  readonly port: ProcessPort;
}

/** Runs a command that destroys what `find` finds. Returns the exit code. */
export function destroy<F extends Found>(
  { settings, notices, port, ...destroyed }: DestroyCommand,
  find: (azure: Azure, context: RunContext) => Promise<DestroyRequest<F> & Partial<Pick<Destroyed, "names">>>,
): Promise<number> {
  const { command, subject } = destroyed;
  return withConnection(
    { consentTo: `destroying ${subject}`, ...settings, command, deletes: true },
    notices,
    port,
    async (azure, context) => applyRemovals(azure, context, settings, { ...destroyed, ...(await find(azure, context)) }),
  );
}

/**
 * Returns the exit code.
 * @throws the failure that forbids it, and ARO-RUN-002 or 003 if it was not confirmed
 */
export async function applyRemovals<F extends Found>(
  azure: Azure,
  context: RunContext,
  settings: DestroySettings,
  request: Destroyed & DestroyRequest<F>,
): Promise<number> {
  const { command, subject, found, cascaded: withGroups = [], byAzure = [] } = request;
  const { removals, kept } = found;
  let lastFound = found;
  const findLeft = async () => {
    lastFound = await request.findAgain();
    return leftOf(lastFound);
  };
  // Nothing of the plan is possible while another cluster uses it.
  if (request.refusal?.code === "ARO-OWN-006") throw request.refusal;
  const reading = targetOf(azure, request.names);
  const cascaded = [
    ...withGroups.map(({ id, title, group, origin }) => {
      const why = `deleted with resource group ${group}${origin === "foreign" ? " (not owned by this cluster)" : ""}`;
      return { id, title, group, origin, why };
    }),
    ...byAzure,
  ];
  const ids = [...removals.flatMap(({ resourceId }) => resourceId ?? []), ...withGroups.map(({ id }) => id)];
  const idsByAzure = byAzure.map(({ id }) => id);
  const deleted = { ids, byAzure: idsByAzure, sharedVault: request.sharedVault, deleteForeign: settings.deleteForeign };
  const refusal =
    request.refusal ?? (await blockedRemoval(azure, ids, context.say, idsByAzure)) ?? (await usedElsewhere(azure, deleted, context.say));
  const { about: subjects = { name: subject } } = request;
  const target = await reading;
  const about = { ...subjects, target };
  const shownKept = kept.map(({ line: _line, ...one }) => one);
  const sections = new Map(removals.map((removal) => [removal.id, lineOfRemoval(removal)?.name ?? otherLine]));
  context.pauseProgress();
  context.report({ place: placeOf(target), planned: () => itemsOfRemovals({ removals, cascaded, kept }) });
  const rows = removalRows({ removals, cascaded, kept }, settings.fullPlan);
  const notice = leftOf(found).length > 0 ? request.notice : await request.nothingFound?.();
  const isNothingFound = notice !== undefined && rows.length === 0;
  // The last line of a run says the same.
  const isPlanned = settings.dryRun || refusal !== undefined || !isNothingFound;
  showPlan(context, target, isPlanned ? planText(context.people, rows, { refused: refusal !== undefined }) : undefined);
  if (refusal) throw refusal;
  if (notice !== undefined) context.say(`notice: ${notice}`);
  const retention = settings.purge === true ? undefined : retentionText(removals);
  if (retention !== undefined) context.say(retention);
  if (settings.dryRun) {
    const removed = removals.map(({ id, title, why, resourceId, after }) => {
      return { id, title, section: sections.get(id), why, resourceId, after };
    });
    const plan = { ok: true, command, ...about, dryRun: true, removed, removedAlong: cascaded, kept: shownKept };
    if (settings.output === "json") printDocument(context.result, plan);
    return settings.exitCode && removals.length > 0 ? exitCodes.changes : exitCodes.done;
  }
  if (removals.length > 0 && !settings.yes) {
    const confirmed = async () => [...(await findLeft()), ...(lastFound.confirmed ?? [])].join();
    const asked = await confirmed();
    await confirmByTyping(subject, "the deletion", context, target);
    // Time passed at the prompt: the confirmed deletions must still be the current ones.
    if ((await confirmed()) !== asked) throw new Failure("ARO-RUN-007", "Azure changed while waiting for confirmation");
    const used = await request.usedByOthers?.(lastFound);
    if (used) throw used;
  }
  context.expect(removalOutline(removals, settings.fullPlan, azure.connection.clock));
  let last: LastRead = { left: [], unneeded: [], failures: [] };
  const result = await removeAll(unlessUsedElsewhere(azure, removals, deleted), {
    ...runOptions(context, settings.concurrency, { command, subject, infraId: subjects["infraId"] }),
    async lastRead(walked) {
      last = await readAgain(azure, context, { kept, findLeft }, walked);
      return last.left.length === 0 && last.failures.length === 0 && request.afterwards === undefined;
    },
  });
  const { left, unneeded } = last;
  const deletion = request.again === undefined ? "rerun the command to delete it" : advise`delete it: ${request.again}`;
  const recoverable = (result.ok ? lastFound.recoverable : undefined) ?? [];
  return finish(context, {
    command,
    subject,
    about,
    result,
    sections,
    output: settings.output,
    debug: settings.debug,
    kept,
    cascaded: cascaded.length,
    isNothingFound,
    next: [
      ...recoverableAdvice(recoverable),
      ...unneeded.map(({ id, title = id }) => advise`${title} was kept, but is no longer needed: ${deletion}`),
      ...(result.ok ? (request.next ?? []) : []),
    ],
    document: {
      kept: shownKept,
      leftovers: left,
      ...(found.recoverable && {
        recoverable: recoverable.map(({ title, until, how }) => ({ title, until, how: context.renderAdvice(how) })),
      }),
    },
    more: [...last.failures, ...(request.afterwards ? [request.afterwards] : [])],
    remaining:
      left.length === 0
        ? []
        : [new Failure("ARO-DELETE-003", `${plural(left.length, "resource")} not deleted`, { because: left.join(", ") })],
  });
}

interface LastRead {
  /** IDs of what should be deleted. */
  readonly left: readonly string[];
  /** What was kept for a cluster that is gone by now, because another destroy ran at the same time. */
  readonly unneeded: readonly Kept[];
  readonly failures: readonly Failure[];
}

async function readAgain(
  azure: Azure,
  context: RunContext,
  { kept, findLeft }: Pick<Found, "kept"> & { readonly findLeft: () => Promise<readonly string[]> },
  { ok, steps }: RunResult,
): Promise<LastRead> {
  const { signal } = context;
  const isKept = (id: string) => kept.some((one) => sameId(one.id, id));
  const nothing: LastRead = { left: [], unneeded: [], failures: [] };
  if (!steps.some(({ startedMs }) => startedMs !== undefined) || signal.aborted) return nothing;
  let unneeded: readonly Kept[] = [];
  const read = async () => {
    const ids = await findLeft();
    unneeded = kept.filter((one) => ids.some((id) => sameId(one.id, id)));
    return ids.filter((id) => !isKept(id));
  };
  try {
    // After a failure, resources are certainly left, and waiting would not help.
    const left = ok ? await leftoversAfterDelay(read, azure.connection.clock, signal) : await read();
    return { left, unneeded, failures: [] };
  } catch (error) {
    return signal.aborted ? nothing : { ...nothing, failures: [toFailure(error, "reading the remaining resources")] };
  }
}

/** Resources with the same recovery command share a line, with the earliest purge date. */
function recoverableAdvice(recoverable: readonly Recoverable[]): Advice[] {
  const ways = [...new Set(recoverable.map(({ how }) => how))];
  return ways.map((how) => {
    const alike = recoverable.filter((one) => one.how === how);
    const [until] = alike.flatMap((one) => one.until ?? []).toSorted();
    return advise`${titlesOf(alike)} can be recovered${until === undefined ? "" : ` until ${until}`}: ${how}`;
  });
}

/** "Key Vault kv-demo, 8 applications": the plan has listed the applications. */
function titlesOf(recoverable: readonly Recoverable[]): string {
  const nouns = [...new Set(recoverable.map(({ noun }) => noun))];
  return nouns
    .flatMap((noun) => {
      const alike = recoverable.filter((one) => one.noun === noun);
      return noun !== undefined && alike.length > 1 ? [plural(alike.length, noun)] : alike.map(({ title }) => title);
    })
    .join(", ");
}

/** Undefined if Azure keeps nothing. */
function retentionText(removals: readonly Removal[]): string | undefined {
  const hasVault = removals.some(({ resourceId = "" }) => isIdOf(resourceId, resourceTypes.keyVault.type));
  const has = (kind: string) => removals.some(({ id }) => id.startsWith(`${kind} `));
  const days = hasVault ? "" : " days";
  const kept = [
    ...(hasVault ? ["a deleted vault for 90 days"] : []),
    ...(has("key") ? ["a deleted key for 90 days"] : []),
    ...(has("application") ? [`applications for 30${days}`] : []),
  ];
  if (kept.length === 0) return undefined;
  const unless = hasVault ? ", but no vault with purge protection" : has("key") ? ", unless their vault or HSM has purge protection" : "";
  return `Azure keeps ${kept.join(" and ")}, with their names; --purge deletes them permanently${unless}`;
}

const pollMs = 5000;
const maxReads = 12;

/** Reads leftovers again for up to a minute of Azure's time until there are none, because Azure's lists show deleted resources for a while. */
async function leftoversAfterDelay(read: () => Promise<readonly string[]>, clock: Clock, signal: AbortSignal): Promise<readonly string[]> {
  for (let reads = 1; ; reads++) {
    const left = await read();
    if (left.length === 0 || reads === maxReads) return left;
    await clock.sleep(pollMs, signal);
  }
}

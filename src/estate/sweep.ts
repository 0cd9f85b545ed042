/** `sweep`: removes what is proved to be left over, seen twice, read again right before, and written to a journal. */
import type { Azure } from "../azure/azure.js";
import { aroHcp, advise } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { applyGraph } from "../run/apply.js";
import { isConfirmed } from "../run/consent.js";
import { applyRemovals } from "../run/destroy.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import { labelled, titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId } from "../domain/resource-id.js";
import type { Found, Kept } from "../removal/owned.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { candidateLabels, isSwept, keptBecause, verdictOf, type Candidate, type CandidateKind } from "./domain/candidate.js";
import { candidatesIn } from "./candidates/candidates.js";
import { readEvidence, type Evidence } from "./reading/evidence.js";
import { readEstate } from "./reading/read-estate.js";
import { openJournal, readJournal, type Journal } from "./files/journal.js";
import { sweptRemoval } from "./sweeping/removals.js";
import { undoOf } from "./sweeping/undo.js";
import { showUnread } from "./unread.js";

const command = "sweep";
type Settings = Resolved<typeof command>["settings"];

/** A principal may be missing for a moment, and a list may lag. */
const betweenLooksMs = 3 * 60_000;

/** `argument`: the kind to sweep; all by default. */
export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort, argument?: string): Promise<number> {
  const connection = { subscription: undefined, subscriptionOptional: true } as const;
  const consent = { consentTo: settings.undoFile === undefined ? "a sweep" : "an undo", deletes: true } as const;
  const entries = settings.undoFile === undefined ? undefined : await readJournal(settings.undoFile);
  return withConnection({ ...settings, command, ...connection, ...consent }, notices, port, async (azure, context) => {
    if (entries !== undefined) return undo(azure, context, settings, entries);
    requireCap(settings, context);
    return sweep(azure, context, settings, argument as CandidateKind | undefined);
  });
}

/** Nobody looks at a plan that --yes applies. @throws ARO-USAGE-001 */
function requireCap({ dryRun, yes, max }: Settings, context: RunContext): void {
  if (dryRun || max !== undefined || (!yes && isConfirmed({ dryRun, yes }, context))) return;
  throw new Failure("ARO-USAGE-001", "a sweep with --yes needs --max, the most that it may remove");
}

interface Reading {
  readonly evidence: Evidence;
  readonly candidates: readonly Candidate[];
}

async function sweep(azure: Azure, context: RunContext, settings: Settings, kind: CandidateKind | undefined): Promise<number> {
  const { signal } = context;
  const read = async (): Promise<Reading> => {
    const estate = await readEstate(azure, settings.subscriptions, signal, { newest: true });
    const evidence = await readEvidence(azure, estate, signal);
    return {
      evidence,
      candidates: (await candidatesIn(evidence, settings.infraIds)).filter((one) => kind === undefined || one.kind === kind),
    };
  };
  const isPurged = ({ purgeAs }: Candidate) => purgeAs === undefined || settings.purgeNames.includes(purgeAs);
  const swept = ({ candidates }: Reading) => candidates.filter(isSwept).filter((one) => verdictOf(one) === "sweep" && isPurged(one));
  let last = await read();
  let chosen = swept(last);
  if (chosen.length > 0 && !settings.dryRun) {
    context.say(`${plural(chosen.length, "leftover")}; looking again in 3 minutes, because something may be missing for a moment`);
    await azure.connection.clock.sleep(betweenLooksMs, signal);
    last = await read();
    const before = new Set(chosen.map(({ id }) => id));
    chosen = swept(last).filter(({ id }) => before.has(id));
  }
  const all = chosen.length;
  requireOneEach(chosen);
  chosen = upTo(settings.max, chosen);
  if (all > chosen.length) context.say(`notice: of ${plural(all, "leftover")}, ${String(chosen.length)} are removed, as --max says`);
  const journal = lazyJournal(settings, azure);
  try {
    const { principals } = last.evidence;
    const subscriptions = last.evidence.estate.subscriptions.map(({ id }) => id);
    const ids = new Set(chosen.map(({ id }) => id));
    const foundIn = (some: Reading): Found => ({
      removals: swept(some)
        .filter(({ id }) => ids.has(id))
        .map((one) => sweptRemoval({ azure, principals, subscriptions, journal: journal.open }, one)),
      kept: some.candidates.flatMap((one) => keptOf(one, isPurged(one))),
    });
    const code = await applyRemovals(azure, context, settings, {
      command,
      subject: plural(chosen.length, "leftover"),
      names: { subscriptions: subscriptionsOf(last.evidence, chosen) },
      found: foundIn(last),
      cascaded: chosen.flatMap(contentsOf),
      findAgain: async () => foundIn(await read()),
      nothingFound: () => "nothing is proved to be left over",
      next: [],
    });
    const { unread } = last.evidence;
    showUnread(unread, context);
    if (journal.path() !== undefined)
      context.say(`the journal of the deletions is ${journal.path() ?? ""}; ${context.renderAdvice(undoAdvice(journal.path() ?? ""))}`);
    const isUnknown = unread.length > 0 || last.candidates.some((one) => verdictOf(one) === "unknown");
    return code === exitCodes.done && isUnknown ? exitCodes.incomplete : code;
  } finally {
    journal.close();
  }
}

/** "production (5b5c…)": those of what is removed, else all. */
function subscriptionsOf({ estate }: Evidence, chosen: readonly Candidate[]): readonly string[] {
  const ids = new Set(chosen.map(({ subscriptionId }) => subscriptionId));
  return estate.subscriptions.filter(({ id }) => ids.size === 0 || ids.has(id)).map(({ id, name }) => `${name} (${id})`);
}

function undoAdvice(path: string) {
  return advise`to put it back: ${aroHcp("sweep")} with --undo-file ${path}`;
}

/** What is in a group counts as it. */
function upTo<C extends Candidate>(max: number | undefined, candidates: readonly C[]): C[] {
  let left = max ?? Infinity;
  return candidates.filter(({ contents = [] }) => {
    const count = 1 + contents.length;
    if (count > left) return false;
    left -= count;
    return true;
  });
}

/** @throws ARO-USAGE-001 if a name of a purge stands for several sets */
function requireOneEach(candidates: readonly Candidate[]): void {
  const places = new Map<string, string>();
  for (const { purgeAs, kind, title, subscriptionId } of candidates) {
    if (purgeAs === undefined || kind !== "deleted-applications") continue;
    const place = `${title.replace(/.* of /, "")} in subscription ${subscriptionId ?? ""}`;
    const other = places.get(purgeAs) ?? place;
    if (other !== place)
      throw new Failure("ARO-USAGE-001", `--purge-names ${purgeAs} stands for several sets: in ${other}, and in ${place}`, {
        next: ["pass --subscriptions with the one that is meant"],
      });
    places.set(purgeAs, place);
  }
}

/** Shown in the plan: they go with the group. */
function contentsOf({ contents = [] }: Candidate) {
  return contents.map((one) => {
    const { type, name, resourceGroup: group = "" } = parseResourceId(one);
    return { id: one, type, name, title: titleOf(labelled(type), name), group, origin: "ours" as const };
  });
}

/** What has both proofs, and stays: the caller may want to clear the way. */
function keptOf(candidate: Candidate, isPurged: boolean): Kept[] {
  const { id, title, kind, madeBy, unused, purgeAs } = candidate;
  if (madeBy === undefined || unused === undefined) return [];
  const why = keptBecause(candidate) ?? (isPurged ? undefined : `pass --purge-names ${purgeAs ?? ""} to purge it`);
  return why === undefined ? [] : [{ id, title, why, line: { name: `${candidateLabels[kind]}s`, item: title, why } }];
}

/** Opened by the first deletion, so that a sweep without one leaves no file. */
function lazyJournal({ outputJournal }: Settings, azure: Azure) {
  let journal: Journal | undefined;
  return {
    open(): Journal {
      const stamp = azure.connection.clock
        .now()
        .toISOString()
        .replace(/[-:]|\.\d+/g, "");
      journal ??= openJournal(outputJournal ?? `aro-hcp-sweep-${stamp}.ndjson`);
      return journal;
    },
    path: () => journal?.path,
    close() {
      journal?.close();
    },
  };
}

async function undo(
  azure: Azure,
  context: RunContext,
  settings: Settings,
  entries: Awaited<ReturnType<typeof readJournal>>,
): Promise<number> {
  const { steps, lost, refused } = await undoOf(azure, entries);
  for (const one of [...lost, ...refused]) context.say(`notice: ${one}`);
  const subject = `the sweep of ${settings.undoFile ?? ""}`;
  const { code } = await applyGraph(azure, context, settings, {
    ...{ command, subject, about: { journal: settings.undoFile ?? "" }, steps },
    target: targetOf(azure, {}),
    document: () => ({ restored: steps.length }),
  });
  return code === exitCodes.done && refused.length > 0 ? exitCodes.refused : code;
}

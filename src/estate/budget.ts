/** `budget`: how many more clusters fit in each region of each subscription, and which limit allows no more. */
import type { Azure } from "../azure/azure.js";
import type { RenderAdvice } from "../errors/advice.js";
import { toFailure } from "../azure/to-failure.js";
import { exitCodes } from "../errors/exit-codes.js";
import type { Failure } from "../errors/failure.js";
import { printDocument } from "../render/document.js";
import { printable } from "../render/printable.js";
import { table } from "../render/table.js";
import { sentence } from "../render/wrapped.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { sameText } from "../text/same-text.js";
import type { Estate, ListedSubscription, Unread } from "./domain/estate.js";
import { freedBySweep, type Freed } from "./freed.js";
import { directoryLimit, fitting, readLimits, type Limit } from "./limits.js";
import { findingsIn, locationOf } from "./origins/findings.js";
import { readEvidence } from "./reading/evidence.js";
import { readEstate } from "./reading/read-estate.js";
import { showUnread, unreadJson } from "./unread.js";

const command = "budget";

interface Budget {
  readonly subscription: ListedSubscription;
  readonly locations: readonly string[];
  readonly limits: readonly Limit[];
  /** Undefined if it is not known. */
  readonly afterSweep: readonly Limit[] | undefined;
}

/** Many callers may not read it: what is unknown does not count, and a sentence names it. */
interface OfDirectory {
  readonly limit: Limit | undefined;
  readonly freed: Freed | undefined;
  readonly unknown: readonly Unknown[];
}

/** "the use of directory objects", with the reason. */
interface Unknown {
  readonly what: string;
  readonly why: string;
}

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const connection = { subscription: undefined, subscriptionOptional: true } as const;
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) => {
    const estate = await readEstate(azure, settings.subscriptions, context.signal);
    const findings = findingsIn(estate);
    const unread: Unread[] = [...estate.unread];
    const directory = await readDirectory(azure, estate, settings.infraIds, context.signal);
    const budgets = await Promise.all(
      estate.subscriptions
        .filter(({ state }) => state !== "Disabled")
        .map(async (subscription): Promise<Budget> => {
          const own = findings.filter(({ subscriptionId }) => subscriptionId === subscription.id);
          const used = [...new Set(own.flatMap((finding) => locationOf(finding) ?? []))].toSorted();
          const locations = settings.location === undefined ? used : [settings.location];
          const entries = estate.entries.filter(({ subscriptionId }) => subscriptionId === subscription.id);
          const read = await readLimits(azure, subscription.id, entries, { locations, nodes: settings.nodePoolReplicas });
          unread.push(...read.unread);
          const { freed, limit } = directory;
          const limits = [...read.limits, ...(limit === undefined || !isAtHome(subscription, azure) ? [] : [limit])];
          return { subscription, locations, limits, afterSweep: freed && limits.map((one) => afterSweep(one, freed, subscription.id)) };
        }),
    );
    context.signal.throwIfAborted();
    const shown = { budgets, unread, unknown: directory.unknown };
    if (settings.output === "json") printDocument(context.result, document(shown, context.renderAdvice));
    else print(shown, context);
    return unread.length === 0 ? exitCodes.done : exitCodes.incomplete;
  });
}

async function readDirectory(azure: Azure, estate: Estate, infraIds: readonly string[], signal: AbortSignal): Promise<OfDirectory> {
  const unknown: Unknown[] = [];
  const size = directoryLimit(azure).catch((error: unknown) => {
    unknown.push({ what: "the use of directory objects", why: reasonOf(toFailure(error, "reading the size of the directory")) });
    return undefined;
  });
  const [limit, evidence] = await Promise.all([size, readEvidence(azure, estate, signal)]);
  const [first] = evidence.unread;
  if (first !== undefined) unknown.push({ what: "what a sweep would free", why: reasonOf(first.failure) });
  return { limit, freed: first === undefined ? await freedBySweep(evidence, infraIds) : undefined, unknown };
}

function reasonOf({ message, because }: Failure): string {
  return because === undefined ? message : `${message}: ${because}`;
}

/** Whether its principals are in the directory that was read. */
function isAtHome({ tenantId }: ListedSubscription, azure: Azure): boolean {
  return tenantId === undefined || sameText(tenantId, azure.connection.tenantId);
}

function afterSweep(limit: Limit, freed: Freed, subscriptionId: string): Limit {
  return { ...limit, used: limit.used - freed.of(limit, subscriptionId) };
}

/** The limits of the subscription count in each of its regions. */
function limitsIn(limits: readonly Limit[], location: string | undefined): readonly Limit[] {
  return limits.filter((one) => one.location === undefined || one.location === location);
}

/** A subscription without a region of a cluster still has limits of its own. */
function placesOf({ locations }: Budget): readonly (string | undefined)[] {
  return locations.length === 0 ? [undefined] : locations;
}

interface Shown {
  readonly budgets: readonly Budget[];
  readonly unread: readonly Unread[];
  readonly unknown: readonly Unknown[];
}

function document({ budgets, unread, unknown }: Shown, renderAdvice: RenderAdvice) {
  const fits = (limits: readonly Limit[], kind: "sharedSet" | "ownSet") => {
    const found = fitting(limits, kind);
    return found && { clusters: found.count, boundBy: found.bound.name };
  };
  const both = (limits: readonly Limit[]) => ({ withSharedSet: fits(limits, "sharedSet"), withOwnSet: fits(limits, "ownSet") });
  return {
    ok: unread.length === 0,
    command,
    budgets: budgets.flatMap((budget) =>
      placesOf(budget).map((location) => ({
        subscriptionID: budget.subscription.id,
        subscriptionName: budget.subscription.name,
        location,
        ...both(limitsIn(budget.limits, location)),
        afterSweep: budget.afterSweep && {
          frees: freedIn(budget, location).map(([name, count]) => ({ name, count })),
          ...both(limitsIn(budget.afterSweep, location)),
        },
        limits: limitsIn(budget.limits, location).map(({ name, location: region, used, limit, takes }) => ({
          name,
          location: region,
          used,
          limit,
          takes,
        })),
      })),
    ),
    unknown,
    unread: unreadJson(unread, renderAdvice),
  };
}

/** ["role assignments", 530], for each limit that a sweep frees something of. */
function freedIn({ limits, afterSweep: after = [] }: Budget, location: string | undefined): readonly (readonly [string, number])[] {
  const left = limitsIn(after, location);
  return limitsIn(limits, location)
    .map(({ name, used }, at) => [name, used - (left[at]?.used ?? used)] as const)
    .filter(([, count]) => count > 0);
}

function print({ budgets, unread, unknown }: Shown, context: RunContext): void {
  const { result } = context;
  for (const [index, budget] of budgets.entries()) {
    const { id, name } = budget.subscription;
    if (index > 0) result.print("");
    result.print(`${name} (${id})`);
    const rows = budget.limits.map(({ name: what, location = "all", used, limit, takes }) => [
      ...[location, what, `${String(used)} of ${String(limit)}`],
      String(takes.sharedSet),
      String(takes.ownSet),
    ]);
    result.show(table(result, ["LOCATION", "LIMIT", "USED", "PER CLUSTER", "WITH ITS OWN SET"], rows));
    for (const location of placesOf(budget)) {
      result.print(sentence(result, fitText(budget.limits, location)));
      const frees = freedIn(budget, location).map(([what, count]) => `${String(count)} ${what}`);
      if (frees.length > 0 && budget.afterSweep !== undefined)
        result.print(sentence(result, fitText(budget.afterSweep, location, `after a sweep, which frees ${frees.join(", ")}`)));
    }
  }
  if (unknown.length > 0) {
    result.print("");
    for (const { what, why } of unknown) result.print(sentence(result, printable(`${what} is unknown: ${why}`)));
  }
  showUnread(unread, context);
}

/** "eastus: 189 more clusters fit on existing sets, limited by role assignments; 158 more clusters fit with a set each, limited by …" */
function fitText(all: readonly Limit[], location: string | undefined, change?: string): string {
  const limits = limitsIn(all, location);
  const [shared, own] = [fitting(limits, "sharedSet"), fitting(limits, "ownSet")];
  if (shared === undefined || own === undefined) return "how many more clusters fit is unknown";
  const text = (count: number, how: string, by: string) =>
    `${plural(count, "more cluster")} ${count === 1 ? "fits" : "fit"} ${how}, limited by ${by}`;
  const where = [location, change].filter((one) => one !== undefined).join(", ");
  return `${where}${where === "" ? "" : ": "}${text(shared.count, "on existing sets", shared.bound.name)}; ${text(own.count, "with a set each", own.bound.name)}`;
}

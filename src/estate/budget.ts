/** `budget`: how many more clusters fit in each region of each subscription, and which limit allows no more. */
import type { RenderAdvice } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import { printDocument } from "../render/document.js";
import { table } from "../render/table.js";
import { sentence } from "../render/wrapped.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { findingsIn, locationOf } from "./findings.js";
import { fitting, readLimits, type Limit } from "./limits.js";
import type { ListedSubscription, Unread } from "./reading/estate.js";
import { readEstate } from "./reading/read-estate.js";
import { showUnread, unreadJson } from "./unread.js";

const command = "budget";

interface Budget {
  readonly subscription: ListedSubscription;
  readonly locations: readonly string[];
  readonly limits: readonly Limit[];
}

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const connection = { subscription: undefined, subscriptionOptional: true } as const;
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) => {
    const estate = await readEstate(azure, settings.subscriptions, context.signal);
    const findings = findingsIn(estate);
    const unread: Unread[] = [...estate.unread];
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
          return { subscription, locations, limits: read.limits };
        }),
    );
    context.signal.throwIfAborted();
    if (settings.output === "json") printDocument(context.result, document(budgets, unread, context.renderAdvice));
    else print(budgets, unread, context);
    return unread.length === 0 ? exitCodes.done : exitCodes.incomplete;
  });
}

/** The limits of the subscription count in each of its regions. */
function limitsIn({ limits }: Budget, location: string | undefined): readonly Limit[] {
  return limits.filter((one) => one.location === undefined || one.location === location);
}

/** A subscription without a region of a cluster still has limits of its own. */
function placesOf({ locations }: Budget): readonly (string | undefined)[] {
  return locations.length === 0 ? [undefined] : locations;
}

function document(budgets: readonly Budget[], unread: readonly Unread[], renderAdvice: RenderAdvice) {
  const fits = (budget: Budget, location: string | undefined, kind: "sharedSet" | "ownSet") => {
    const found = fitting(limitsIn(budget, location), kind);
    return found && { clusters: found.count, boundBy: found.bound.name };
  };
  return {
    ok: unread.length === 0,
    command,
    budgets: budgets.flatMap((budget) =>
      placesOf(budget).map((location) => ({
        subscriptionID: budget.subscription.id,
        subscriptionName: budget.subscription.name,
        location,
        withSharedSet: fits(budget, location, "sharedSet"),
        withOwnSet: fits(budget, location, "ownSet"),
        limits: limitsIn(budget, location).map(({ name, location: region, used, limit, takes }) => ({
          name,
          location: region,
          used,
          limit,
          takes,
        })),
      })),
    ),
    unread: unreadJson(unread, renderAdvice),
  };
}

function print(budgets: readonly Budget[], unread: readonly Unread[], context: RunContext): void {
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
    for (const location of placesOf(budget)) result.print(sentence(result, fitText(budget, location)));
  }
  showUnread(unread, context);
}

/** "eastus: 189 more clusters fit on existing sets, limited by role assignments; 158 more clusters fit with a set each, limited by …" */
function fitText(budget: Budget, location: string | undefined): string {
  const limits = limitsIn(budget, location);
  const [shared, own] = [fitting(limits, "sharedSet"), fitting(limits, "ownSet")];
  if (shared === undefined || own === undefined) return "how many more clusters fit is unknown";
  const text = (count: number, how: string, by: string) =>
    `${plural(count, "more cluster")} ${count === 1 ? "fits" : "fit"} ${how}, limited by ${by}`;
  const where = location === undefined ? "" : `${location}: `;
  return `${where}${text(shared.count, "on existing sets", shared.bound.name)}; ${text(own.count, "with a set each", own.bound.name)}`;
}

/** Before a create of many: whether the new clusters fit the limits of their subscriptions, where these can be read. */
import type { Azure } from "../azure/azure.js";
import { advise, aroHcp } from "../errors/advice.js";
import { Failure, type Problem } from "../errors/failure.js";
import { readRoom } from "../estate/index.js";
import { connectionOptions } from "../settings/connection-options.js";
import { plural } from "../text/plural.js";
import type { Member } from "./fleet-file.js";
import { hasOwnSet } from "./member-commands.js";

/** A cluster of the fleet, and where it would be. */
interface Planned {
  readonly infraId: string;
  readonly subscriptionId: string;
  readonly location: string;
  readonly kind: "ownSet" | "sharedSet";
}

function plannedIn(members: readonly Member[], usualSubscription: string): readonly Planned[] {
  return members.flatMap((member): Planned[] => {
    if (member.kind !== "clusters") return [];
    const { infraId, subscription = usualSubscription, location = connectionOptions.location.default } = member.settings.value;
    const place = {
      infraId: String(infraId).toLowerCase(),
      subscriptionId: String(subscription).toLowerCase(),
      location: String(location),
    };
    return [{ ...place, kind: hasOwnSet(member) ? "ownSet" : "sharedSet" }];
  });
}

/** @throws ARO-SUB-002 with every limit that is too low */
export async function requireRoom(azure: Azure, members: readonly Member[], signal: AbortSignal): Promise<void> {
  const planned = plannedIn(members, azure.connection.subscriptionId);
  const subscriptions = [...new Set(planned.map(({ subscriptionId }) => subscriptionId))];
  const found = await Promise.all(
    subscriptions.map(async (id) => {
      const its = planned.filter(({ subscriptionId }) => subscriptionId === id);
      return shortages(azure, id, its, signal);
    }),
  );
  const problems = found.flat();
  if (problems.length === 0) return;
  throw new Failure("ARO-SUB-002", "the clusters do not fit: nothing was changed", {
    problems,
    next: [
      advise`${aroHcp("budget", {})} shows what is used, and ${aroHcp("audit", {})} what nobody uses any more`,
      "create fewer clusters: pass their names",
    ],
  });
}

async function shortages(
  azure: Azure,
  subscriptionId: string,
  planned: readonly Planned[],
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const { infraIds, limits } = await readRoom(azure, subscriptionId, [...new Set(planned.map(({ location }) => location))], signal);
  const added = planned.filter(({ infraId }) => !infraIds.has(infraId));
  return limits.flatMap(({ name, location, used, limit, takes }): Problem[] => {
    const its = added.filter((one) => location === undefined || location === one.location);
    const needed = its.reduce((sum, { kind }) => sum + takes[kind], 0);
    if (needed <= Math.max(0, limit - used)) return [];
    const where = location === undefined ? "" : ` in ${location}`;
    return [
      {
        origin: `subscription ${subscriptionId}`,
        message: `${plural(its.length, "new cluster")} would add ${String(needed)} to the ${String(used)} of ${String(limit)} ${name}${where}`,
      },
    ];
  });
}

/** Before a create of many: whether the new clusters fit the limits of their subscriptions, where these can be read. */
import type { Azure } from "../azure/azure.js";
import type { CloudName } from "../azure/cloud.js";
import { toFailure } from "../azure/to-failure.js";
import { advise, aroHcp } from "../errors/advice.js";
import { Failure, type Problem } from "../errors/failure.js";
import { readRoom, type Room } from "../estate/index.js";
import { printable } from "../render/printable.js";
import { connect } from "../run/connect.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { connectionOptions } from "../settings/connection-options.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import type { Member } from "./fleet-file.js";
import { connectionFlags, type PreparedFleet } from "./fleet-run.js";
import { hasOwnSet } from "./member-commands.js";

/** A cluster of the fleet, and where it would be. */
interface Planned {
  readonly infraId: string;
  readonly subscriptionId: string;
  readonly location: string;
  readonly kind: "ownSet" | "sharedSet";
}

function plannedIn(cluster: Member, usualSubscription: string): Planned {
  const { infraId, subscription = usualSubscription, location = connectionOptions.location.default } = cluster.settings.value;
  return {
    infraId: String(infraId).toLowerCase(),
    subscriptionId: String(subscription).toLowerCase(),
    location: String(location),
    kind: hasOwnSet(cluster) ? "ownSet" : "sharedSet",
  };
}

/**
 * What cannot be read refuses nothing: the create of each cluster finds out for itself.
 * @throws ARO-SUB-002 with every limit that is too low
 */
export async function checkRoom(
  { members, credsOf }: PreparedFleet,
  resolved: Resolved<"create fleet" | "destroy fleet">,
  port: ProcessPort,
  context: RunContext,
): Promise<void> {
  const clusters = members.filter(({ kind }) => kind === "clusters");
  const [first] = clusters;
  if (first === undefined) return;
  const flags = connectionFlags(resolved);
  const signsIn = (member: Member) => ({
    cloud: (flags.cloud ?? member.settings.value["cloud"] ?? resolved.settings.cloud) as CloudName,
    azureCreds: (flags.azureCreds ?? member.settings.value["azureCreds"]) as string | undefined,
  });
  const { cloud, azureCreds } = signsIn(first);
  const alike = clusters.filter((member) => signsIn(member).cloud === cloud && signsIn(member).azureCreds === azureCreds);
  const settings = { ...resolved.settings, cloud, azureCreds: credsOf(first) ?? azureCreds, command: "create fleet" };
  try {
    const { azure, close } = await connect({ ...settings, subscriptionOptional: true }, port, context);
    try {
      const { subscriptionId: usual } = azure.connection;
      const planned = alike.map((cluster) => ({
        ...plannedIn(cluster, usual),
        ...(flags.subscription !== undefined && { subscriptionId: usual }),
      }));
      await requireRoom(azure, planned, context);
    } finally {
      await close();
    }
  } catch (error) {
    const failure = toFailure(error, "reading the limits of the subscription");
    if (context.signal.aborted || failure.code === "ARO-SUB-002") throw error;
    context.say(`notice: whether the clusters fit the limits is not known: ${printable(failure.message)}`);
  }
}

async function requireRoom(azure: Azure, planned: readonly Planned[], { signal, say }: RunContext): Promise<void> {
  const subscriptions = [...new Set(planned.map(({ subscriptionId }) => subscriptionId))];
  const rooms = await Promise.all(
    subscriptions.map(async (id) => {
      const its = planned.filter(({ subscriptionId }) => subscriptionId === id);
      const room = await readRoom(azure, id, [...new Set(its.map(({ location }) => location))], signal);
      return { problems: shortages(room, id, its), unread: room.unread };
    }),
  );
  for (const { failure } of rooms.flatMap(({ unread }) => unread)) {
    say(`notice: whether the clusters fit is not known in full: ${printable(failure.message)}`);
  }
  const problems = rooms.flatMap((room) => room.problems);
  if (problems.length === 0) return;
  throw new Failure("ARO-SUB-002", "the clusters do not fit: nothing was changed", {
    problems,
    next: [
      advise`${aroHcp("budget", {})} shows what is used, and ${aroHcp("audit", {})} what nobody uses any more`,
      "create fewer clusters: pass their names",
    ],
  });
}

function shortages({ infraIds, limits }: Room, subscriptionId: string, planned: readonly Planned[]): readonly Problem[] {
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

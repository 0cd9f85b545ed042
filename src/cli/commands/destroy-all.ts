/** `destroy all`: what is provably ours of infrastructure, identities and issuer, as one graph: what does not hold another goes side by side. */
import type { Azure } from "../../azure/azure.js";
import type { Removal } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import type { IdentitySetKey } from "../../infra/identity-spec.js";
import { idKey, isWithin, resourceGroupId } from "../../infra/resource-id.js";
import { assignmentsOf, listAssignments } from "../../removal/assignments.js";
import { emptiedGroupRemoval, groupReads, judgeGroup, type GroupReads } from "../../removal/emptied-group.js";
import { findIdentities, type RemovalManner } from "../../removal/identities.js";
import { identityRemovals } from "../../removal/identity-removals.js";
import { takeInventory, type Kept, type Search } from "../../removal/inventory.js";
import { findIssuer, issuerRemovals, type IssuerPlace } from "../../removal/issuer.js";
import { mergedRemovals } from "../../removal/merged.js";
import { removalsOf } from "../../removal/removals.js";
import { idsToRemove, type RemovalWishes } from "../../removal/selection.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey, persistentGroupOf } from "../identity-set.js";
import { inSession } from "../session.js";
import { requireConsent, tearDown } from "../tear-down.js";
import { idsLeft, recoverable } from "./destroy-identities.js";
import { foreignRefusal } from "./destroy-infra.js";
import { foreignContainers, issuerPlace } from "./destroy-oidc-issuer.js";

const command = "destroy all";

export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  const { name, infraId, purge } = settings;
  return inSession(settings, notices, environment, async (azure, stage) => {
    requireConsent(infraId, settings, stage);
    const key = identitySetKey({ ...settings, persistentResourceGroupName: persistentGroupOf(settings) }, azure);
    const whole: Whole = {
      search: { cluster: { name, infraId }, broughtGroup: undefined, otherSubscriptions: [] },
      key,
      issuer: issuerPlace(settings),
    };
    const wishes = { preserveGroups: false, deleteForeign: settings.deleteForeign };
    let found = await look(azure, whole, { purge });
    const parts = [
      ...removalsOf(azure, found.infra, wishes),
      ...issuerRemovals(azure, { ...found.issuer, groups: [] }),
      ...identityRemovals(azure, { ...found.identities, group: undefined }, { purge }),
    ];
    const groups = await groupsOf(azure, whole, found.reads, parts);
    return tearDown(azure, stage, settings, {
      command,
      subject: infraId,
      about: { infraId, name },
      removals: mergedRemovals([...parts, ...groups.removals]),
      kept: [...found.infra.kept, ...found.identities.kept.filter(({ id }) => !groups.judged.includes(idKey(id))), ...groups.kept],
      refusal: servesOthers(whole, found) ?? foreignRefusal(found.infra, wishes) ?? foreignContainers(found.issuer),
      leftovers: async () => leftIn((found = await look(azure, whole, { purge })), wishes, purge),
      // What was seen last, which was when nothing was left.
      recoverable: () => Promise.resolve(recoverable(found.identities)),
    });
  });
}

/** Where to look. */
interface Whole {
  readonly search: Search;
  readonly key: IdentitySetKey;
  readonly issuer: IssuerPlace;
}

type Found = Awaited<ReturnType<typeof look>>;

/** One set may serve several clusters. Those that still stand would lose identities, roles and issuer with this one: nobody asks for that by its infra id. */
function servesOthers({ search, key }: Whole, { infra, identities }: Found): Failure | undefined {
  const served = infra.otherClusters.filter((infraId) => assignmentsOf(infraId, identities.assignments).length > 0);
  if (served.length === 0) return undefined;
  const { name, infraId } = search.cluster;
  return new Failure("ARO-OWN-006", `the set of identities "${key.name}" serves ${served.join(", ")}, too`, {
    because: "its identities have roles of that infra id, which would be gone with them",
    next: [
      `remove this cluster alone: \`aro-hcp destroy infra --name ${name} --infra-id ${infraId}\``,
      "or destroy the other clusters first",
    ],
  });
}

async function look(azure: Azure, { search, key, issuer: place }: Whole, manner: RemovalManner) {
  const reads = groupReads(azure);
  const assigned = listAssignments(azure, [key.subscriptionId]);
  const [infra, issuer, identities] = await Promise.all([
    takeInventory(azure, search, assigned),
    findIssuer(azure, { identitySet: key.name }, place, reads),
    findIdentities(azure, key, manner, reads, assigned),
  ]);
  return { infra, issuer, identities, reads };
}

/** The groups of issuer and identities may be one, so they are judged when it is known all that goes. */
async function groupsOf(azure: Azure, { key, issuer }: Whole, reads: GroupReads, parts: readonly Removal[]) {
  const names = new Map([issuer.groupName, key.groupName].map((name) => [name.toLowerCase(), name]));
  const goes = (id: string) => parts.some(({ resourceId }) => resourceId !== undefined && isWithin(id, resourceId));
  const verdicts = await Promise.all([...names.values()].map((name) => judgeGroup(reads, name, { identitySet: key.name }, goes)));
  const removals = verdicts.flatMap(({ group }) => {
    const held = parts.filter(({ resourceId }) => group && resourceId !== undefined && isWithin(idKey(resourceId), group.id));
    return group
      ? [
          emptiedGroupRemoval(
            azure,
            group,
            held.map(({ id }) => id),
          ),
        ]
      : [];
  });
  const judged = [...names.keys()].map((name) => idKey(resourceGroupId(key.subscriptionId, name)));
  return { removals, judged, kept: verdicts.flatMap(({ kept }): readonly Kept[] => (kept ? [kept] : [])) };
}

function leftIn({ infra, issuer, identities }: Found, wishes: RemovalWishes, purge: boolean): string[] {
  return [...idsToRemove(infra, wishes), ...issuer.accounts.map(({ id }) => id), ...idsLeft(identities, purge)];
}

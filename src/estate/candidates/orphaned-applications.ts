/** Applications of identity sets that are gone, living and soft-deleted: only aro-hcp gives their unique names. */
import { namedApplication } from "../../domain/identity-names.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate } from "../domain/candidate.js";
import type { Evidence } from "../reading/evidence.js";
import { dateIn, ofAge, unreadIn } from "./objections.js";
import { isSetEmpty, isSetGone } from "./sets.js";

interface Listed {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly uniqueName: string | null;
}

export function applicationCandidates(evidence: Evidence): Candidate[] {
  const { applications = [], deletedApplications = [], estate, principals } = evidence;
  return [
    ...applications.flatMap((one) => {
      const inUse = estate.assignments.some(({ principalId }) => sameText(principals.appIdOf(principalId), one.appId));
      return candidateOf(evidence, one, {
        kind: "applications",
        changedAt: dateIn(one.createdDateTime),
        objections: inUse ? ["it has roles"] : [],
      });
    }),
    ...deletedApplications.flatMap((one) =>
      candidateOf(evidence, one, {
        kind: "deleted-applications",
        changedAt: dateIn(one.deletedDateTime),
        objections: [],
        purgeAs: namedApplication(one.uniqueName ?? "")?.set.name ?? one.appId,
      }),
    ),
  ];
}

function candidateOf(
  evidence: Evidence,
  { id, appId, displayName, uniqueName }: Listed,
  more: Pick<Candidate, "kind" | "changedAt" | "objections" | "purgeAs">,
): Candidate[] {
  const set = namedApplication(uniqueName ?? "")?.set;
  if (set === undefined) return [];
  const isDeleted = more.kind === "deleted-applications";
  const isGone = isDeleted ? isSetEmpty(evidence, set) : isSetGone(evidence, set);
  const isKnown = evidence.subscription(set.subscriptionId) !== undefined;
  // The set is there: its own commands delete the application.
  if (isKnown && !isGone && unreadIn(evidence, set.subscriptionId).length === 0) return [];
  return [
    {
      ...more,
      id,
      appId,
      title: `${isDeleted ? "deleted application" : "application"} ${displayName} of resource group ${set.groupName}`,
      // That of its set.
      subscriptionId: set.subscriptionId,
      madeBy: `its unique name is that of identity set ${set.name}`,
      unused: isGone ? `nothing of the set is in resource group ${set.groupName}` : undefined,
      takes: "directory objects",
      owner: set.name,
      objections: [...more.objections, ...ofAge(evidence, more.changedAt)],
      unknown: [
        ...(isKnown ? [] : [`subscription ${set.subscriptionId} of its set could not be read`]),
        ...unreadIn(evidence, set.subscriptionId),
        // It may have roles there.
        ...(isDeleted || evidence.isWhole ? [] : ["not all subscriptions were read"]),
      ],
    },
  ];
}

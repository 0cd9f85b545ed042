/** Resource groups that a destroy left, and node groups whose AKS cluster is gone. */
import { hasOtherOwner, identitySetTag, infraIdTag, kubernetesOrigin } from "../../domain/ownership.js";
import { clusterResource } from "../../domain/cluster-resource.js";
import { idKey, isIdOf, isWithin, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { persistentGroupName } from "../../domain/identity-names.js";
import { issuerGroupName } from "../../domain/issuer.js";
import { tagsInLowerCase, tagValue } from "../../domain/tags.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate } from "../domain/candidate.js";
import type { Finding } from "../domain/finding.js";
import { isType, type Entry } from "../domain/estate.js";
import type { Evidence } from "../reading/evidence.js";
import { doubtsAbout, ofTags } from "./objections.js";
import { hasApplications } from "./sets.js";

/** Shared by many, whatever is in it, in lower case. */
const neverSwept = ["networkwatcherrg", "os4-common", "rhcos_images", "rg", "cloud-shell-storage"];

export function groupCandidates(evidence: Evidence): Candidate[] {
  const { estate, findings } = evidence;
  const groups = estate.entries.filter((entry) => isType(entry, resourceTypes.resourceGroup));
  return groups.flatMap((group) => {
    if (neverSwept.includes(group.name.toLowerCase())) return [];
    const contents = estate.entries.filter(
      (one) => one !== group && one.subscriptionId === group.subscriptionId && one.group === group.group,
    );
    const finding = findings.find((one) => one.origin === "aro-hcp" && one.kind === "clusters" && one.entries.includes(group));
    if (finding !== undefined && isPartial(finding)) return [leftOf(evidence, finding, group, contents)];
    if (isIdOf(group.managedBy ?? "", resourceTypes.managedCluster.type)) return nodeGroup(evidence, group, contents);
    const set = setOf(group);
    if (set !== undefined && contents.length === 0) return [ofSet(evidence, group, set)];
    // One with contents may be a set that works.
    if (set !== undefined && findings.some((one) => one.origin === "aro-hcp" && one.entries.some((entry) => contents.includes(entry))))
      return [];
    const tag = finding === undefined ? copiedTag(group) : undefined;
    if (tag === undefined) return [];
    const doubts = doubtsOf(evidence, group, contents);
    return [
      {
        ...shared(group, contents),
        madeBy: undefined,
        unused: undefined,
        ...doubts,
        objections: [`its tag names an owner that does not give it this name: ${tag}`, ...doubts.objections],
      },
    ];
  });
}

function isPartial({ missing }: Finding): boolean {
  return missing.length > 0;
}

/** An ownership tag of a cluster or a set. */
function copiedTag({ tags }: Entry): string | undefined {
  return tagsInLowerCase(tags).find(([tag]) => tag === infraIdTag || tag === identitySetTag)?.[0];
}

/** The set whose tag it has, if it is called as the set calls it. */
function setOf({ name, tags }: Entry): string | undefined {
  const set = tagValue(tags, identitySetTag);
  // A name that the user chose is in a tag, too, and tags alone prove nothing.
  return set !== undefined && [persistentGroupName(set), issuerGroupName(set)].some((one) => sameText(one, name)) ? set : undefined;
}

/** An empty one: its set's applications would still need it. */
function ofSet(evidence: Evidence, group: Entry, set: string): Candidate {
  const place = { subscriptionId: group.subscriptionId, groupName: group.name, name: set };
  const has = hasApplications(evidence, place);
  const doubts = doubtsOf(evidence, group, []);
  return {
    ...shared(group, []),
    owner: set,
    madeBy: `its tag and its name are those of identity set ${set}`,
    unused: has === false ? "it is empty, and no application is the set's" : undefined,
    objections: [...(has === true ? ["the set has applications"] : []), ...doubts.objections],
    unknown: [...(has === undefined ? ["the directory could not be read"] : []), ...doubts.unknown],
  };
}

function leftOf(evidence: Evidence, finding: Finding, group: Entry, contents: readonly Entry[]): Candidate {
  const { estate, principals } = evidence;
  const { name, infraId = "", entries, assignments } = finding;
  const cluster = { name, infraId };
  const isRest = (entry: Entry) => entries.includes(entry);
  const partners = entries.filter((entry) => isType(entry, resourceTypes.resourceGroup) && entry !== group);
  const elsewhere = entries.filter((entry) => entry !== group && !contents.includes(entry) && !partners.includes(entry));
  const foreign = contents.filter((entry) => !isRest(entry));
  const ofKubernetes = estate.entries.filter((entry) => kubernetesOrigin(entry.tags, cluster) === "this-cluster");
  // Somebody may have removed the tags.
  const untagged = estate.entries.filter(
    (entry) =>
      !isRest(entry) &&
      !foreign.includes(entry) &&
      !hasOtherOwner(entry.tags, cluster) &&
      clusterResource({ cluster, existingGroups: undefined }, entry.id) !== undefined,
  );
  const living = assignments.filter(({ principalId }) => principals.state(principalId) !== "absent");
  const doubts = doubtsOf(evidence, group, contents);
  const objections = [
    ...listed("its cluster has more, and a create may go on", [...partners, ...elsewhere]),
    ...listed("it has what the cluster did not make", foreign),
    ...listed("something has a name of the cluster, without its tags", untagged),
    ...listed(
      "the Kubernetes of its cluster has made something",
      ofKubernetes.filter((entry) => !foreign.includes(entry)),
    ),
    ...(living.length > 0 ? ["identities have roles of the cluster"] : []),
    ...doubts.objections,
  ];
  return {
    ...shared(group, contents),
    ...{ owner: infraId, cluster },
    madeBy: `its tags and its name are those of cluster ${name}/${infraId}`,
    unused: objections.length === 0 ? "nothing else of the cluster is left, and nothing of others is in it" : undefined,
    objections,
    unknown: doubts.unknown,
  };
}

/** AKS deletes it with its cluster. One that is left has what nobody can use. */
function nodeGroup(evidence: Evidence, group: Entry, contents: readonly Entry[]): Candidate[] {
  const { managedBy = "" } = group;
  const { subscriptionId, name } = parseResourceId(managedBy);
  const { estate, subscription, unread } = evidence;
  if (estate.entries.some(({ id }) => idKey(id) === idKey(managedBy))) return [];
  const isReadable = subscription(subscriptionId) !== undefined && !unread.some((one) => sameText(one.subscriptionId, subscriptionId));
  const doubts = doubtsOf(evidence, group, contents);
  return [
    {
      ...shared(group, contents),
      madeBy: `AKS made it for cluster ${name}, which it names`,
      unused: isReadable ? `AKS cluster ${name} does not exist` : undefined,
      objections: [...listed("it has something", contents), ...doubts.objections],
      unknown: [...(isReadable ? [] : [`subscription ${subscriptionId} of AKS cluster ${name} could not be read`]), ...doubts.unknown],
    },
  ];
}

function doubtsOf(evidence: Evidence, group: Entry, contents: readonly Entry[]) {
  // A group has no date of its own: what is in it has, and an empty one is as old as Azure does not say.
  const dates = [group, ...contents].map((one) => one.createdAt);
  const known = dates.filter((date) => date !== undefined).toSorted((a, b) => b.getTime() - a.getTime());
  const { objections, unknown } = doubtsAbout(evidence, { ...group, changedAt: known[0] });
  const roles = evidence.estate.assignments.filter(({ scope, principalId }) => {
    const isGone = ["absent", "deleted identity"].includes(evidence.principals.state(principalId));
    return isWithin(scope, group.id) && !isGone && !sameText(principalId, evidence.caller.objectId);
  });
  return {
    objections: [
      ...objections,
      ...contents.flatMap(({ tags }) => ofTags(tags)),
      // They go with the group.
      ...(roles.length > 0 ? ["somebody has roles on it"] : []),
    ],
    unknown,
  };
}

function shared({ id, name, subscriptionId, createdAt }: Entry, contents: readonly Entry[]) {
  return {
    kind: "resource-groups" as const,
    id,
    title: titleOf(resourceTypes.resourceGroup, name),
    subscriptionId,
    changedAt: createdAt,
    takes: "resource groups",
    contents: contents.map((one) => one.id),
  };
}

/** What it names follows the colon. */
function listed(why: string, entries: readonly Entry[]): string[] {
  return entries.length === 0 ? [] : [`${why}: ${entries.map(titleOfEntry).join(", ")}`];
}

function titleOfEntry({ id }: Entry): string {
  const { type, name } = parseResourceId(id);
  return `${type.split("/").at(-1) ?? ""} ${name}`;
}

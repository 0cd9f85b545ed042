/** Why something stays whatever is proved about it: its age, its subscription, a lock, a tag of others. */
import { tagsInLowerCase, type Tags } from "../../domain/tags.js";
import { sameText } from "../../text/same-text.js";
import type { Evidence } from "../reading/evidence.js";

/** The directory replicates late, and a create may still run. */
const youngestMs = 86_400_000;

export interface Doubts {
  readonly objections: readonly string[];
  readonly unknown: readonly string[];
}

/** Of anything with an ID of Resource Manager. `changedAt`: the youngest date that is known of it; without one it counts as new. */
export function doubtsAbout(
  evidence: Evidence,
  {
    id,
    subscriptionId,
    changedAt,
    tags,
  }: { readonly id: string; readonly subscriptionId: string; readonly changedAt: Date | undefined; readonly tags?: Tags },
): Doubts {
  const { objections, unknown } = evidence.blocks(id);
  return {
    objections: [...ofAge(evidence, changedAt), ...ofSubscription(evidence, subscriptionId), ...ofTags(tags), ...objections],
    unknown: [...unreadIn(evidence, subscriptionId), ...unknown],
  };
}

export function ofAge({ now }: Pick<Evidence, "now">, changedAt: Date | undefined): string[] {
  if (changedAt === undefined || Number.isNaN(changedAt.getTime())) return ["its age is unknown"];
  return now.getTime() - changedAt.getTime() < youngestMs ? ["it is younger than 24 hours"] : [];
}

/** The principals of another tenant do not resolve in this one. */
function ofSubscription({ subscription, caller }: Evidence, id: string): string[] {
  const found = subscription(id);
  if (found === undefined) return ["its subscription is not among those that were read"];
  return [
    ...(found.state === "Enabled" ? [] : [`its subscription is ${found.state === "" ? "in an unknown state" : found.state}`]),
    ...(sameText(found.tenantId, caller.tenantId) ? [] : ["its subscription is of another tenant"]),
    ...(found.managedByTenants.length > 0 ? ["another tenant manages its subscription"] : []),
  ];
}

/** Tags with which other sweepers' users ask to keep something. */
const retentionTags = ["persist", "do-not-delete", "skipautodeletetill", "openshift_expirationdate"];

export function ofTags(tags: Tags): string[] {
  return tagsInLowerCase(tags).flatMap(([tag]) => (retentionTags.includes(tag) ? [`tag ${tag} asks to keep it`] : []));
}

/** What was read of a subscription in part looks emptier than it is. */
export function unreadIn({ unread }: Pick<Evidence, "unread">, subscriptionId: string): string[] {
  return unread.some((one) => sameText(one.subscriptionId, subscriptionId)) ? ["its subscription could not be read as a whole"] : [];
}

/** Undefined for what is no date. */
export function dateIn(text: string | null | undefined): Date | undefined {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

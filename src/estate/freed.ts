/** What a sweep would free of the limits of a subscription. */
import { sameText } from "../text/same-text.js";
import { isSwept, verdictOf, type Candidate } from "./domain/candidate.js";
import { candidatesIn } from "./candidates/candidates.js";
import type { Limit } from "./limits.js";
import type { Evidence } from "./reading/evidence.js";

export interface Freed {
  /** Of this limit, in one subscription. */
  of(limit: Limit, subscriptionId: string): number;
}

/** `infraIds`: of clusters that are wholly gone, from the caller. */
export async function freedBySweep(evidence: Evidence, infraIds: readonly string[]): Promise<Freed> {
  // An application takes room until it is purged, and a sweep purges only what the caller names.
  const swept = (await candidatesIn(evidence, infraIds)).filter(
    (one) => isSwept(one) && one.kind !== "applications" && one.purgeAs === undefined && verdictOf(one) === "sweep",
  );
  const entries = new Map(evidence.estate.entries.map((one) => [one.id.toLowerCase(), one]));
  /** What goes with a group. */
  const contentOf = ({ contents = [] }: Candidate) => contents.flatMap((id) => entries.get(id.toLowerCase()) ?? []);
  return {
    of({ name, location, type }, subscriptionId) {
      const own = swept.filter((one) => one.subscriptionId === subscriptionId);
      const inGroups = own
        .flatMap(contentOf)
        .filter((one) => sameText(type, one.type) && (location === undefined || one.location === location));
      return own.filter(({ takes }) => takes === name).length + inGroups.length;
    },
  };
}

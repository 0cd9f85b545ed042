/** Everything in an estate that may be left over, of all kinds, with what is decided about it. */
import { candidateKinds, type Candidate } from "../domain/candidate.js";
import type { Evidence } from "../reading/evidence.js";
import { applicationCandidates } from "./orphaned-applications.js";
import { assignmentCandidates } from "./orphaned-assignments.js";
import { groupCandidates } from "./unused-groups.js";
import { resourceCandidates } from "./unused-resources.js";

/** In the order of kinds and IDs. `infraIds`: of clusters that are wholly gone, from the caller. */
export async function candidatesIn(evidence: Evidence, infraIds: readonly string[]): Promise<Candidate[]> {
  const found = [
    ...(await assignmentCandidates(evidence, infraIds)),
    ...groupCandidates(evidence),
    ...resourceCandidates(evidence),
    ...applicationCandidates(evidence),
  ];
  return found.toSorted((a, b) => candidateKinds.indexOf(a.kind) - candidateKinds.indexOf(b.kind) || (a.id < b.id ? -1 : 1));
}

/** What a fleet is made of, and what can be done with it. */

export const verbs = ["create", "verify", "destroy"] as const;
export type Verb = (typeof verbs)[number];

/** The keys of a fleet file, in the order in which a fleet is created. */
export const memberKinds = ["sets", "managementClusters", "clusters"] as const;
export type MemberKind = (typeof memberKinds)[number];

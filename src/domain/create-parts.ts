/** What a create consists of, and the resource groups it puts things into. */

/** What `create all` makes together, and what each of the smaller creates makes alone. */
export const parts = ["infra", "identities", "issuer"] as const;
export type Part = (typeof parts)[number];

/** Groups by what is in them; `dns` is that of the public zone. */
export const groupKinds = ["managed", "vnet", "nsg", "privateZone", "dns", "identities", "issuer"] as const;
export type GroupKind = (typeof groupKinds)[number];

/** The kinds of groups whose main resource a user may hand over in place of one that is made. */
export const existingKinds = ["managed", "vnet", "nsg"] as const satisfies readonly GroupKind[];
export type Existing = (typeof existingKinds)[number];

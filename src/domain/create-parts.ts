/** The parts of a create, and their resource groups. */

/** `create all` creates all parts; the other create commands create one each. */
export const parts = ["infra", "identities", "issuer"] as const;
export type Part = (typeof parts)[number];

/** Groups by their contents. `dns` is the group of the public zone. */
export const groupKinds = ["managed", "vnet", "nsg", "privateZone", "dns", "identities", "issuer"] as const;
export type GroupKind = (typeof groupKinds)[number];

/** The groups whose main resource can be an existing one. */
export const existingKinds = ["managed", "vnet", "nsg"] as const satisfies readonly GroupKind[];
export type ExistingKind = (typeof existingKinds)[number];

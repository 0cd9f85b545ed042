/** The parts of a create, and their resource groups. */

/** `create all` creates all of these; the other create commands create one each. */
export const parts = ["infra", "identities", "issuer"] as const;
/** `aks` is a management cluster or a service cluster, `arc` a connected cluster, `dns` a public DNS zone. */
export type Part = (typeof parts)[number] | "aks" | "arc" | "dns";

/** What `create all` and the other creates of a cluster create, by the word after `create`. */
export const partsByCommand: Readonly<Record<string, readonly Part[]>> = {
  all: parts,
  infra: ["infra"],
  identities: ["identities"],
  "oidc-issuer": ["issuer"],
};

/** Groups by their contents. `dns` is the group of the public zone, `aks` that of an AKS cluster, `arc` that of a connected cluster. */
export const groupKinds = ["managed", "vnet", "nsg", "privateZone", "dns", "identities", "issuer", "aks", "arc"] as const;
export type GroupKind = (typeof groupKinds)[number];

/** The groups whose main resource can be an existing one. */
export const existingKinds = ["managed", "vnet", "nsg"] as const satisfies readonly GroupKind[];
export type ExistingKind = (typeof existingKinds)[number];

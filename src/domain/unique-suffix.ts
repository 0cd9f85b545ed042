/** Endings of names: of those that must be unique across Azure, and of several names of one kind in one place. */
import { createHash } from "node:crypto";

/** A set of identities, or its issuer, in a resource group. */
export interface SetPlace {
  readonly subscriptionId: string;
  readonly groupName: string;
  /** The name of the set. */
  readonly name: string;
}

/** Six digits that are different for each set, in each group of each subscription. */
export function uniqueSuffix({ subscriptionId, groupName, name }: SetPlace): string {
  return shortHash(`${subscriptionId}/${groupName}/${name}`.toLowerCase());
}

/** Six hexadecimal digits. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 6);
}

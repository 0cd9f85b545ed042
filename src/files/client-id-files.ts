/** Decides who owns an existing file that has only client IDs, in a format of hypershift. */
import type { z } from "zod";
import { sameText } from "../text/same-text.js";
import { documentOwner, unknownOwner, type OwnershipCheck } from "./output-file.js";

/** The keys are those of components in the file. */
export type ClientIds = Readonly<Partial<Record<string, string>>>;

/**
 * `known`: the identities that exist, or existed when the file was written. An identity can be deleted and created again, so one that is
 * the same is enough. A new owner knows none, and any file with identities belongs to another one. While a run creates its identities, a
 * file of another run of the same command can have others than this one knows.
 */
export function clientIdsOwner<Schema extends z.ZodType>(
  schema: Schema,
  idsIn: (document: z.output<Schema>) => ClientIds,
  { known, isRunning }: { readonly known: ClientIds; readonly isRunning: boolean },
): OwnershipCheck {
  return documentOwner(schema, (document) => {
    const found = Object.entries(idsIn(document));
    const shared = found.filter(([key]) => known[key] !== undefined);
    if (found.length === 0) return unknownOwner;
    if (shared.some(([key, id]) => sameText(id, known[key]))) return undefined;
    return isRunning && shared.length === 0 ? undefined : "a file with the client IDs of other identities";
  });
}

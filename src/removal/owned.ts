/** The table of what a destroy finds of an owner: removals, their order, and retained resources with reasons. */
import { titleOf } from "../domain/resource-catalogue.js";
import { idKey, parseResourceId } from "../domain/resource-id.js";
import type { ResourceType } from "../domain/resource-types.js";
import type { Removal } from "../engine/step.js";
import type { Recoverable } from "./recoverable.js";

/** A resource with a name of the owner that stays: it is another owner's, or something of others needs it. */
export interface Kept {
  readonly id: string;
  /** The title in the plan, if that is not the ID. */
  readonly title?: string;
  readonly why: string;
  /** The line that several share in the plan, with a reason without what differs. */
  readonly line?: { readonly name: string; readonly item: string; readonly why: string };
}

export interface OwnedRemoval extends Removal {
  /** As in a list of what is left, if that is neither its resource ID nor its title. `false`: what is left of it is left of another removal. */
  readonly left?: string | false;
}

/** A row. `Other` are the names of the others. */
export interface OwnedKind<Other extends string = string> {
  readonly removals?: readonly OwnedRemoval[];
  /** The kinds that are deleted before it. */
  readonly after?: readonly Other[];
  readonly kept?: readonly Kept[];
  readonly recoverable?: readonly Recoverable[];
}

export interface Found {
  readonly removals: readonly OwnedRemoval[];
  readonly kept: readonly Kept[];
  /** Undefined if Azure keeps nothing of such an owner. */
  readonly recoverable?: readonly Recoverable[] | undefined;
  /** The IDs of everything that is deleted, if some of it has no removal of its own. */
  readonly left?: readonly string[];
  /** What else must be the same before and after a prompt. */
  readonly confirmed?: readonly string[];
}

/** What the rows of a table say together. Removals keep the order that they have within their row. */
export function foundIn<Name extends string>(table: Readonly<Record<Name, OwnedKind<NoInfer<Name>>>>): Found {
  const rows = Object.values<OwnedKind<Name>>(table);
  const before = (names: readonly Name[] = []) => names.flatMap((name) => idsOf(table[name].removals ?? []));
  const recoverable = rows.flatMap((row) => row.recoverable ?? []);
  return {
    removals: rows.flatMap(({ removals = [], after }) => removals.map((one) => ({ ...one, after: [...one.after, ...before(after)] }))),
    kept: rows.flatMap(({ kept = [] }) => kept),
    ...(rows.some((row) => row.recoverable !== undefined) && { recoverable }),
  };
}

/** The IDs or titles of everything that is deleted. */
export function leftOf({ removals, left }: Pick<Found, "removals" | "left">): readonly string[] {
  return left ?? removals.flatMap((one) => (one.left === false ? [] : (one.left ?? one.resourceId ?? one.title)));
}

export function idsOf(some: readonly { readonly id: string }[]): string[] {
  return some.map(({ id }) => id);
}

/** The removal of something without an ID of its own in Resource Manager. */
export function removalOf(id: string, title: string, remove: Removal["remove"], after: readonly string[] = []): OwnedRemoval {
  return { id, title, resourceId: undefined, after, remove };
}

export function resourceRemovalOf(row: ResourceType, id: string, remove: Removal["remove"]): OwnedRemoval {
  return { ...removalOf(idKey(id), titleOf(row, parseResourceId(id).name), remove), resourceId: id };
}

/** With a last look right before it, which throws or returns the failure if something forbids the removal by now. */
export function checkedBefore<R extends Removal>(removal: R, check: () => Promise<Error | undefined | void>): R {
  return {
    ...removal,
    async remove(io) {
      const failure = await check();
      if (failure) throw failure;
      await removal.remove(io);
    },
  };
}

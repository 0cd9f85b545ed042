/** The judgement that all resources of ours share: does it exist, is it ours, is it where it should be. */
import { advise, aroHcp } from "../errors/advice.js";
import type { Change, Decision } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { ownedBy, type Owner } from "../domain/ownership.js";
import { quotedTitleOf, rewriteCommand } from "../domain/resource-catalogue.js";
import type { ResourceType } from "../domain/resource-types.js";
import { failedState } from "./in-flight.js";

/** What to do where a set of identities, or part of it, is not there. */
export const createFirst = advise`create the set first: ${aroHcp("create identities")}`;

interface Live {
  readonly id?: string;
  readonly provisioningState?: string;
  readonly location?: string;
  readonly tags?: Record<string, string>;
}

interface Wanted {
  /** Its row in the table of resource types, and its name. */
  readonly row: ResourceType;
  readonly name: string;
  readonly owner: Owner;
  /** Undefined for the global kinds. */
  readonly location?: string;
  /** The flags that its name follows from, where those are not the cluster's. */
  readonly otherName?: string;
}

/**
 * Create what is absent, refuse what is not ours, and leave the rest to `differences`: changes that may be made to a live resource (none: keep),
 * or the failure that says why they may not. What failed is written again, also where nothing differs.
 */
export function decideOwned<L extends Live>(
  live: L | undefined,
  wanted: Wanted,
  differences: (live: L) => readonly Change[] | Failure,
): Decision {
  const { row, name, owner, location, otherName = "--name or --infra-id" } = wanted;
  const what = quotedTitleOf(row, name);
  const existingFlag = row.use?.existingFlag;
  if (!live) return { act: "create" };
  const found = ownedBy(live.tags, owner);
  if (found !== "ours") {
    return refuse("ARO-OWN-001", `${what} exists and is not ours`, {
      because: found === "untagged" ? "it does not carry our ownership tags" : "its ownership tags name another owner",
      next: [
        ...(existingFlag === undefined ? [] : [`to use it as it is, pass ${existingFlag}`]),
        `to have one made, choose another ${otherName}, or remove it`,
      ],
    });
  }
  if (location !== undefined && !sameLocation(live.location, location))
    return refuse("ARO-OWN-002", ...elsewhere(what, live.location, location));
  const changes = differences(live);
  if (changes instanceof Failure) return { act: "refuse", failure: changes };
  const failed = failedState(live);
  if (failed !== undefined) {
    const mended = { path: "provisioningState", from: failed, to: "Succeeded" };
    return { act: "update", why: "its last operation failed, so it is written again", changes: [mended, ...changes] };
  }
  return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
}

/** The judgement on what the user brought: it must exist and stand in the cluster's location; nothing about it is ever changed. */
export function adopt<L extends Live>(
  live: L | undefined,
  wanted: { readonly row: ResourceType; readonly what: string; readonly location?: string; readonly flag: string },
  fault: (live: L) => Failure | undefined = () => undefined,
): Decision {
  const { row, what, location, flag } = wanted;
  if (!live) {
    return refuse("ARO-OWN-003", `${what} does not exist`, {
      because: `${flag} names it`,
      next: [`correct ${flag}, or check that the signed-in identity may read it`],
    });
  }
  if (location !== undefined && !sameLocation(live.location, location))
    return refuse("ARO-OWN-003", ...elsewhere(what, live.location, location));
  const failed = failedState(live);
  if (failed !== undefined) {
    return refuse("ARO-OWN-003", `${what} is not sound: its last operation ended as ${failed}`, {
      because: "what is brought is never written, and a resource in that state may not do what Azure answers of it",
      next: [advise`ask its owner to write it again unchanged: ${rewriteCommand(row, live.id ?? "")}`],
    });
  }
  const failure = fault(live);
  return failure ? { act: "refuse", failure } : { act: "adopt" };
}

export function refuse(...[code, message, options]: ConstructorParameters<typeof Failure>): Decision {
  return { act: "refuse", failure: new Failure(code, message, options) };
}

/** A cluster's groups, network and security group must agree: the control plane operator waits for ever where they do not. */
function elsewhere(what: string, live: string | undefined, wanted: string) {
  return [
    `${what} is in ${live ?? "no location"}, not in ${wanted}`,
    {
      because: "a resource cannot be moved, and a hosted cluster's must share one location",
      next: [`pass --location ${live ?? "..."}, or use another`],
    },
  ] as const;
}

/** Azure takes and answers display names too: "East US" is eastus. */
export function sameLocation(a: string | undefined, b: string): boolean {
  const plain = (location: string) => location.replaceAll(" ", "").toLowerCase();
  return a !== undefined && plain(a) === plain(b);
}

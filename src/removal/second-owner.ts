/** Refuses a destroy of resources with a second owner's tag, because several owners give the same names. */
import { ownershipTags, ownerTags, type Owner } from "../domain/ownership.js";
import { tagValue, type Tags } from "../domain/tags.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

interface Tagged {
  readonly id?: string | undefined;
  readonly tags?: Tags;
}

/** `owned`: with the tags and a name of the owner. @throws ARO-OWN-001 */
export function requireOneOwner(owner: Owner, owned: readonly Tagged[]): void {
  const own = Object.keys(ownershipTags(owner));
  const both = owned.flatMap(({ id = "", tags }) => {
    const further = furtherTags(owner, tags);
    return further.length > 0 ? [{ id, further, own: tagsIn(tags, (tag) => own.includes(tag)) }] : [];
  });
  if (both.length === 0) return;
  throw new Failure("ARO-OWN-001", `${plural(both.length, "resource")} to delete ${both.length === 1 ? "has" : "have"} a second owner`, {
    because: both.map(({ id, further }) => `${id} is also tagged ${further.join(", ")}`).join("; "),
    next: both.map(
      ({ id, further, own: named }) =>
        advise`remove the wrong tag: ${shell`az tag update --resource-id ${id} --operation Delete --tags ${further}`}, or ${shell`az tag update --resource-id ${id} --operation Delete --tags ${named}`}`,
    ),
  });
}

/** Whether the tags also name another owner than this one. */
export function hasSecondOwner(owner: Owner, tags: Tags): boolean {
  return furtherTags(owner, tags).length > 0;
}

function furtherTags(owner: Owner, tags: Tags): string[] {
  const own = Object.keys(ownershipTags(owner));
  return tagsIn(tags, (tag) => !own.includes(tag));
}

/** `name=value` of each tag that names an owner. */
function tagsIn(tags: Tags, isWanted: (tag: string) => boolean): string[] {
  return ownerTags.flatMap((tag) => {
    const value = tagValue(tags, tag);
    return value !== undefined && isWanted(tag) ? [`${tag}=${value}`] : [];
  });
}

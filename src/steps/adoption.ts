/** Steps that add ownership tags to resources with names of the cluster. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { hasOtherOwner, otherOwner, ownershipTags, type Owner } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { idKey } from "../domain/resource-id.js";
import type { ResourceType } from "../domain/resource-types.js";
import type { Tags } from "../domain/tags.js";
import { adviceOnOtherOwner } from "../domain/unclaimed-failure.js";
import { defineStep, type Decision, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { mergeOwnershipTags } from "./merge-ownership-tags.js";
import { missingTags } from "./missing-tags.js";
import { refuse } from "./ownership-decision.js";
import { tagChanges } from "./tag-changes.js";

interface LiveTags {
  readonly tags: Readonly<Record<string, string>>;
}

interface Adopted {
  readonly id: string;
  readonly row: ResourceType;
  readonly name: string;
}

/** Adds the ownership tags to a resource or group. */
export function adoptionStep(azure: Azure, owner: Owner, { id, row, name }: Adopted): Step<unknown> {
  const what = quotedTitleOf(row, name);
  return defineStep({
    id: idKey(id),
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: id,
    needs: {},
    async read(): Promise<LiveTags | undefined> {
      const { tagsOperations } = await azure.resources();
      const live = await found(tagsOperations.getAtScope(id));
      return live && { tags: live.properties.tags ?? {} };
    },
    wanted: () => ({ tags: ownershipTags(owner) }),
    decide(live): Decision {
      if (live === undefined) return refuse("ARO-OWN-003", `${what} was deleted in the meantime`, { next: ["rerun the command"] });
      const foreign = foreignTags(live.tags, owner);
      if (foreign !== undefined) {
        return refuse("ARO-OWN-001", `${what} has a different owner`, {
          because: foreign,
          next: [
            "check --name and --infra-id: resources of another owner are never adopted",
            ...adviceOnOtherOwner({ id, tags: live.tags }),
            "then rerun the command",
          ],
        });
      }
      const room = tagChanges(live.tags, ownershipTags(owner), what);
      if (room instanceof Failure) return { act: "refuse", failure: room };
      const changes = missingTags(live.tags, ownershipTags(owner));
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it gets the ownership tags", changes };
    },
    async apply(live): Promise<LiveTags> {
      await mergeOwnershipTags(azure, id, owner);
      return { tags: { ...live?.tags, ...ownershipTags(owner) } };
    },
    predict: () => ({ id }),
    output: () => ({ id }),
  });
}

function foreignTags(tags: Tags, owner: Owner): string | undefined {
  if ("infraId" in owner) return otherOwner(tags, owner);
  return hasOtherOwner(tags, owner) ? "its ownership tags name another owner" : undefined;
}

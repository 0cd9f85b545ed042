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
  readonly row: Pick<ResourceType, "type" | "label">;
  readonly name: string;
  /** Shown in the plan: why it is taken for one of the owner's. */
  readonly evidence?: string;
  /** The tags that a create of the owner would have set; by default its ownership tags. */
  readonly wanted?: Readonly<Record<string, string>>;
}

/** Adds the ownership tags to a resource or group. */
export function adoptionStep(
  azure: Azure,
  owner: Owner,
  { id, row, name, evidence, wanted = ownershipTags(owner) }: Adopted,
): Step<unknown> {
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
    wanted: () => ({ tags: wanted }),
    decide(live): Decision {
      if (live === undefined) return refuse("ARO-OWN-003", `${what} was deleted in the meantime`, { next: ["rerun the command"] });
      const foreign = foreignTags(live.tags, owner);
      if (foreign !== undefined) {
        return refuse("ARO-OWN-001", `${what} has a different owner`, {
          because: foreign,
          next: [
            `check ${"identitySet" in owner ? "--identities-name" : "--name and --infra-id"}: resources of another owner are never adopted`,
            ...adviceOnOtherOwner({ id, tags: live.tags }),
            "then rerun the command",
          ],
        });
      }
      const room = tagChanges(live.tags, wanted, what);
      if (room instanceof Failure) return { act: "refuse", failure: room };
      const changes = missingTags(live.tags, wanted);
      const why = `it gets the ownership tags${evidence === undefined ? "" : `; ${evidence}`}`;
      return changes.length === 0 ? { act: "keep" } : { act: "update", why, changes };
    },
    async apply(live): Promise<LiveTags> {
      await mergeOwnershipTags(azure, id, owner, wanted);
      return { tags: { ...live?.tags, ...wanted } };
    },
    predict: () => ({ id }),
    output: () => ({ id }),
  });
}

function foreignTags(tags: Tags, owner: Owner): string | undefined {
  if ("infraId" in owner) return otherOwner(tags, owner);
  return hasOtherOwner(tags, owner) ? "its ownership tags name another owner" : undefined;
}

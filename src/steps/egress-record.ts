/**
 * The record of a cluster while its egress changes. Before anything is changed, the record has the new choice and names what earlier ones
 * attached; at the end, it has only the choice. So a run after an interrupted one completes the change, also to another choice.
 */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { parseResourceId, sameId } from "../domain/resource-id.js";
import { byId, defineStep, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { tagChanges } from "./record-tags.js";
import { writeTags } from "./write-tags.js";

type Tags = Readonly<Record<string, string>>;

/** The tags of what has the record, by ID, in the order in which they are written. */
type Recorded = readonly { readonly id: string; readonly tags: Tags }[];

/** Undefined if the run changes nothing of the egress, or if the record was lost. */
export function recordedChange(azure: Azure, { egressChange }: InfraSpec): Step<unknown> | undefined {
  const { recordId, optionTags } = egressChange ?? {};
  if (recordId === undefined || optionTags === undefined) return undefined;
  return recordStep(azure, "egress-change", "record of the change of the egress", [recordId], optionTags, []);
}

/** `recorded`: the steps of what has the record then. `after`: the last steps of the change. */
export function completedChange(
  azure: Azure,
  { optionTags = {} }: InfraSpec,
  recorded: readonly Step<unknown>[],
  after: readonly Step<unknown>[],
): Step<unknown> {
  const ids = recorded.flatMap(({ resourceId }) => resourceId ?? []);
  return recordStep(azure, "egress-record", "record of the egress", ids, optionTags, [...recorded, ...after]);
}

function recordStep(
  azure: Azure,
  id: string,
  title: string,
  ids: readonly string[],
  record: Tags,
  needs: readonly Step<unknown>[],
): Step<unknown> {
  const changesOf = ({ id: scope, tags }: Recorded[number]) => {
    const changes = tagChanges(tags, {}, record, parseResourceId(scope).name);
    if (changes instanceof Failure) throw changes;
    return changes;
  };
  const read = async (): Promise<Recorded> => {
    const { tagsOperations } = await azure.resources();
    const live = await Promise.all(
      ids.map(async (scope) => {
        const tags = (await found(tagsOperations.getAtScope(scope)))?.properties.tags;
        return tags === undefined ? [] : [{ id: scope, tags }];
      }),
    );
    return live.flat();
  };
  return defineStep({
    id,
    title,
    subject: { kind: "former-resources" },
    needs: byId(needs),
    preview: () => ({ act: "keep" }),
    read,
    decide(live = []) {
      // What this run creates gets the record of the change with its creation.
      const absent = ids.filter((scope) => !live.some((one) => sameId(one.id, scope))).map((scope) => ({ id: scope, tags: {} }));
      const changes = [...live, ...absent].flatMap((one) => changesOf(one).changes);
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "the egress changes", changes };
    },
    async apply(): Promise<Recorded> {
      // Other steps have written the record since the plan.
      const live = await read();
      for (const one of live) {
        const changes = changesOf(one);
        if (changes.changes.length > 0) await writeTags(azure, one.id, changes);
      }
      return live;
    },
    predict: () => true,
    output: () => true,
  });
}

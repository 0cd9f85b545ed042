/** The common declaration of steps that create a resource in a resource group and output its ID. */
import { expectedDuration } from "../azure/expected-durations.js";
import { defineStep, type Decision, type Needs, type OutputsOf, type Step } from "../engine/step.js";
import { titleOf, type UsedType } from "../domain/resource-catalogue.js";
import { formatResourceId } from "../domain/resource-id.js";
import { Recovered } from "../errors/stale.js";
import { hasLostTags, type LostTags } from "./lost-tags.js";
import { busyState } from "./provisioning-state.js";
import type { GroupOutput } from "./resource-groups.js";

interface Live {
  readonly id?: string;
  readonly provisioningState?: string;
  readonly tags?: Record<string, string>;
}

interface InGroupSpec<N extends Needs & { readonly group: Step<GroupOutput> }, L extends Live, Output> {
  /** The row of the resource type, with its title and the ID of this step. */
  readonly row: UsedType;
  /** The ID of this step, if several steps create a resource of the type. */
  readonly id?: string;
  readonly names: readonly string[];
  /** What a plan says of its creation beside its title. */
  readonly size?: string;
  readonly needs: N;
  /** For a resource of a hosted cluster. */
  readonly lostTags?: LostTags;
  /** The parent, if that is not the group itself. */
  readonly within?: keyof N & string;
  read(outputs: OutputsOf<N>): Promise<L | undefined>;
  /** The request body that creates it. */
  wanted(outputs: OutputsOf<N>, id: string): L;
  /** `id` is its resource ID, derived from names. */
  decide(live: L | undefined, outputs: OutputsOf<N>, id: string): Decision;
  apply(live: L | undefined, outputs: OutputsOf<N>, id: string): Promise<L>;
  /** What a plan says while its needs are not known. */
  readonly preview?: Decision;
  /** Steps that need it are planned as known only after it: Azure chooses parts of its output. */
  readonly unpredicted?: true;
  /** `live` is undefined while the resource is only planned. */
  output(id: string, live?: L): Output;
}

export function defineInGroup<const N extends Needs & { readonly group: Step<GroupOutput> }, L extends Live, Output>(
  spec: InGroupSpec<N, L, Output>,
): Step<Output> {
  const { row, names, needs, lostTags, size, within = "group", preview } = spec;
  const { type, use } = row;
  const idIn = (outputs: OutputsOf<N>) => formatResourceId(outputs.group.id, type, ...names);
  return defineStep({
    id: spec.id ?? use.step,
    title: titleOf(row, names.at(-1) ?? ""),
    subject: { kind: "resource", type, ...(size !== undefined && { size }) },
    seconds: expectedDuration("PUT", type).spread[1],
    resourceId: idBelow(needs.group, type, ...names),
    needs,
    within,
    read: async (outputs) => {
      const live = await spec.read(outputs);
      return lostTags ? lostTags.mark(live, idIn(outputs)) : live;
    },
    busy: (live) => busyState(live),
    wanted: (outputs) => spec.wanted(outputs, idIn(outputs)),
    decide: (live, outputs) => spec.decide(live, outputs, idIn(outputs)),
    async apply(live, outputs) {
      if (live === undefined || lostTags === undefined || !hasLostTags(live)) return spec.apply(live, outputs, idIn(outputs));
      await lostTags.restore(idIn(outputs));
      // The tags changed its ETag: any other difference is decided from a new read.
      throw new Recovered("its ownership tags are restored");
    },
    ...(preview && { preview: () => preview }),
    ...(spec.unpredicted !== true && { predict: (outputs: OutputsOf<N>) => spec.output(idIn(outputs)) }),
    output: (live, outputs) => spec.output(live.id ?? idIn(outputs), live),
  });
}

/** The ID of a child of what a step creates, derived from names. */
export function idBelow(container: Step<unknown>, type: string, ...names: readonly string[]): string | undefined {
  return container.resourceId === undefined ? undefined : formatResourceId(container.resourceId, type, ...names);
}

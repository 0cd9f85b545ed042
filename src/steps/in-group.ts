/** What is made inside a resource group and hands on its id: what all such steps declare alike. */
import { defineStep, type Decision, type Needs, type OutputsOf, type Step } from "../engine/step.js";
import { formatResourceId } from "../domain/resource-id.js";
import { busyState } from "./in-flight.js";
import type { GroupOutput } from "./resource-groups.js";

interface Live {
  readonly id?: string;
  readonly provisioningState?: string;
}

interface InGroupSpec<N extends Needs & { readonly group: Step<GroupOutput> }, L extends Live, Output> {
  readonly id: string;
  readonly title: string;
  /** Its ARM type, and a name for each part of that. */
  readonly type: string;
  readonly names: readonly string[];
  readonly needs: N;
  /** What holds it, where that is not the group itself. */
  readonly within?: keyof N & string;
  read(up: OutputsOf<N>): Promise<L | undefined>;
  /** The body that it is made with. */
  wanted(up: OutputsOf<N>, id: string): L;
  /** `id`: its ARM id, as it follows from names. */
  decide(live: L | undefined, up: OutputsOf<N>, id: string): Decision;
  apply(live: L | undefined, up: OutputsOf<N>, id: string): Promise<L>;
  /** `live` is undefined while it is only planned. */
  output(id: string, live?: L): Output;
}

export function defineInGroup<const N extends Needs & { readonly group: Step<GroupOutput> }, L extends Live, Output>(
  spec: InGroupSpec<N, L, Output>,
): Step<Output> {
  const { id, title, type, names, needs, within = "group" } = spec;
  const idIn = (up: OutputsOf<N>) => formatResourceId(up.group.id, type, ...names);
  return defineStep({
    id,
    title,
    resourceId: idBelow(needs.group, type, ...names),
    needs,
    within,
    read: (up) => spec.read(up),
    busy: (live) => busyState(live),
    wanted: (up) => spec.wanted(up, idIn(up)),
    decide: (live, up) => spec.decide(live, up, idIn(up)),
    apply: (live, up) => spec.apply(live, up, idIn(up)),
    predict: (up) => spec.output(idIn(up)),
    output: (live, up) => spec.output(live.id ?? idIn(up), live),
  });
}

/** The id of something in what a step makes, where names alone give it. */
export function idBelow(container: Step<unknown>, type: string, ...names: readonly string[]): string | undefined {
  return container.resourceId === undefined ? undefined : formatResourceId(container.resourceId, type, ...names);
}

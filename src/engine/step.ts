/** What a step is. This file knows no Azure, no terminal and no file. */
import type { Failure } from "../errors/failure.js";

/** One difference that an update makes, for people to read. */
export interface Change {
  /** Where in the resource: `tags.team`, `subnets[default].networkSecurityGroup`. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What is to be done about a step, decided from what is there and what is wanted. */
export type Decision =
  /** `why` where it is for another reason than that nothing is there. */
  | { readonly act: "create"; readonly why?: string }
  | { readonly act: "update"; readonly why: string; readonly changes: readonly Change[] }
  /** Ours, and as wanted. */
  | { readonly act: "keep" }
  /** Brought by the user or only looked up: used, never changed, never removed. */
  | { readonly act: "adopt" }
  /** There, but not ours, or different where a change would break a running cluster. */
  | { readonly act: "refuse"; readonly failure: Failure };

export type Act = Decision["act"];

/** What a running step may use of the engine: handed to whoever writes. The clients beneath it find it by `currentStep`. */
export interface StepIo {
  /** Id of the step. */
  readonly step: string;
  readonly signal: AbortSignal;
  /** Tells what the step is waiting for, for the progress view. */
  note(text: string): void;
}

/** What a step is about, as data: whoever treats steps of one kind alike reads this, and never the ID. The engine itself does not. */
export type Subject =
  | ResourceSubject
  /** `component` and `scope` where it is one of a cluster's; `role` is the name of the role. */
  | { readonly kind: "role-assignment"; readonly role: string; readonly component?: string; readonly scope?: string }
  | { readonly kind: "principals" }
  | { readonly kind: "role-definitions" }
  /** What is in the directory, in a vault, in a container or on this machine. */
  | { readonly kind: "directory-object" | "vault-object" | "vault-access" | "blob" | "file" };

export interface ResourceSubject {
  readonly kind: "resource";
  /** "Microsoft.Network/virtualNetworks" */
  readonly type: string;
  /** Only looked up: never made, changed or removed. */
  readonly existing?: true;
  /** It may be in another location than the cluster. */
  readonly anywhere?: true;
}

/** The resource that a step makes or looks up; undefined of a step about something else. */
export function resourceOf({ subject }: Pick<Step<unknown>, "subject">): ResourceSubject | undefined {
  return subject?.kind === "resource" ? subject : undefined;
}

declare const outputType: unique symbol;

/** A declared step, its inner types hidden: `Output` is what it hands on to the steps that need it. */
export interface Step<Output> {
  /** Unique in its graph, lower case with dashes: `load-balancer`. */
  readonly id: string;
  /** For people: `load balancer demo-x7k2`. */
  readonly title: string;
  readonly subject: Subject | undefined;
  /** The ARM id, where it follows from names alone. */
  readonly resourceId: string | undefined;
  /** Ids of the steps that must be done before. */
  readonly needs: readonly string[];
  /** Id of the step that makes its container; one of `needs`. */
  readonly within: string | undefined;
  /** The declaration as the engine calls it. */
  readonly declared: StepSpec<Needs, unknown, unknown>;
  readonly [outputType]?: Output;
}

export type Needs = Readonly<Record<string, Step<unknown>>>;
type OutputOf<S> = S extends Step<infer Output> ? Output : never;
export type OutputsOf<N extends Needs> = { readonly [K in keyof N]: OutputOf<N[K]> };

export interface StepSpec<N extends Needs, Live, Output> {
  readonly id: string;
  readonly title: string;
  readonly subject?: Subject;
  readonly resourceId?: string | undefined;
  /** The steps whose outputs this one uses, under the names it uses them by. */
  readonly needs: N;
  /** The step of `needs` that makes the container of this one: where that is yet to be created, this one is not read. */
  readonly within?: keyof N & string;
  /** What is there now; undefined where there is nothing. Reads only. */
  read(up: OutputsOf<N>): Promise<Live | undefined>;
  /** The state of an operation in flight ("Updating"), which is waited for before anything is decided. */
  busy?(live: Live): string | undefined;
  /** Creating it does no harm where it has appeared meanwhile: it is not looked for a second time. */
  readonly upserts?: boolean;
  /** What it is made with, by whose names and values what is there can be compared with it; none for what is only looked up. */
  wanted?(up: OutputsOf<N>): object;
  /** Pure: what it decides by time, it decides by `now`. Called with `up` as predicted when planning, as real when running. */
  decide(live: Live | undefined, up: OutputsOf<N>, now: Date): Decision;
  /** Makes it so, and returns what is there then. Called for create and update only. Throws `Stale` where `live` was overtaken. */
  apply(live: Live | undefined, up: OutputsOf<N>, io: StepIo): Promise<Live>;
  /** The output of a thing yet to be created, where names alone give it. Without it, what needs this step is planned as known only later. */
  predict?(up: OutputsOf<N>): Output;
  output(live: Live, up: OutputsOf<N>): Output;
}

/** Declares a step. The one place where the inner types are hidden. */
export function defineStep<const N extends Needs, Live, Output>(spec: StepSpec<N, Live, Output>): Step<Output> {
  return {
    id: spec.id,
    title: spec.title,
    subject: spec.subject,
    resourceId: spec.resourceId,
    needs: Object.values(spec.needs).map((need) => need.id),
    within: spec.within === undefined ? undefined : spec.needs[spec.within]?.id,
    declared: spec as unknown as StepSpec<Needs, unknown, unknown>,
  };
}

/** Declares a step that only looks: what it finds is adopted or refused, never made or changed. */
export function defineLookup<const N extends Needs, Live, Output>(
  spec: Omit<StepSpec<N, Live, Output>, "apply" | "busy" | "predict" | "wanted">,
): Step<Output> {
  return defineStep({ ...spec, apply: () => Promise.reject(new Error(`${spec.id} only looks`)) });
}

/** One thing to be removed. */
export interface Removal {
  readonly id: string;
  readonly title: string;
  readonly resourceId: string | undefined;
  /** Ids of removals that must be done before this one. */
  readonly after: readonly string[];
  /** "Already gone" is success. */
  remove(io: StepIo): Promise<void>;
}

/** The contract between a step and the engine, without Azure, terminal or files. */
import type { ShellCommand } from "../errors/advice.js";
import type { Failure } from "../errors/failure.js";

/** One difference that an update resolves, for people to read. */
export interface Change {
  /** Where in the resource: `tags.team`, `subnets[default].networkSecurityGroup`. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What to do about a step, decided from its current and its wanted state. */
export type Decision =
  /** `why` if the reason is other than that the resource does not exist. */
  | { readonly act: "create"; readonly why?: string }
  | { readonly act: "update"; readonly why: string; readonly changes: readonly Change[] }
  /** Azure cannot update it, so it is deleted and created again. */
  | { readonly act: "replace"; readonly why: string; readonly changes: readonly Change[] }
  /** A part of it is not wanted any more. The step itself remains: its output is still known. */
  | { readonly act: "remove"; readonly why: string; readonly changes: readonly Change[] }
  /** Owned, and up to date. */
  | { readonly act: "keep"; readonly why?: string }
  /** An existing resource of the user, or only looked up: used, never changed, never removed. */
  | { readonly act: "use" }
  /** Exists, but is not owned, or differs where a change would break a running cluster. */
  | { readonly act: "refuse"; readonly failure: Failure };

export type Act = Decision["act"];

/** What a running step may use of the engine. The clients beneath it find it by `currentStep`. */
export interface StepIo {
  /** ID of the step. */
  readonly step: string;
  readonly signal: AbortSignal;
  /** Reports what the step waits for. `reason` is the part of the text that stays the same while the same wait goes on. */
  note(text: string, reason?: string): void;
}

/** What a step is about, as data: code that treats steps of one kind alike reads this, never the ID. The engine does not read it. */
export type Subject =
  | ResourceSubject
  /** `component` and `scope` if it belongs to a component; `role` is the name of the role. */
  | {
      readonly kind: "role-assignment";
      readonly role: string;
      readonly component?: string;
      readonly scope?: string;
      /** ServicePrincipal by default. */
      readonly principalType?: string;
    }
  | { readonly kind: "principals" }
  /** A check that a new credential works: it makes nothing. */
  | { readonly kind: "sign-in" }
  /** What the region and the subscription offer a create: versions, sizes, quotas, features, names. */
  | { readonly kind: "offer" }
  | { readonly kind: "role-definitions" }
  /** Resources of an earlier choice, which nothing uses any more. */
  | { readonly kind: "former-resources" }
  /** An object in the directory, in a vault or on this machine. `noun` is what a plan counts: "application"; absent if there is one. */
  | { readonly kind: "directory-object" | "vault-object" | "vault-access" | "file"; readonly noun?: string }
  /** Objects in a container. `keyOf` is the ID of the storage account whose key uploads them. */
  | { readonly kind: "blob"; readonly keyOf?: string | undefined };

export interface ResourceSubject {
  readonly kind: "resource";
  /** "Microsoft.Network/virtualNetworks" */
  readonly type: string;
  /** What a plan says of its creation beside its title: "2 to 3 nodes, Standard_D4s_v5". */
  readonly size?: string;
  /** Only looked up: never created, changed or removed. */
  readonly existing?: true;
  /** It may be in another location than the cluster. */
  readonly anywhere?: true;
  /** What its creation writes, for a check of policies before. */
  readonly written?: Written;
}

export interface Written {
  readonly apiVersion: string;
  readonly content: object;
  readonly keepsTrue?: string;
  /** What it writes with a flag that is not set. */
  readonly withFlag?: { readonly flag: `--${string}`; readonly content: object };
}

/** The resource that a step creates or looks up; undefined if it is about something else. */
export function resourceOf({ subject }: Pick<Step<unknown>, "subject">): ResourceSubject | undefined {
  return subject?.kind === "resource" ? subject : undefined;
}

declare const outputType: unique symbol;

/** A declared step with its inner types hidden: `Output` is what it passes to the steps that need it. */
export interface Step<Output> {
  /** Unique in its graph, lower case with dashes: `load-balancer`. */
  readonly id: string;
  /** For people: `load balancer demo-x7k2`. */
  readonly title: string;
  readonly subject: Subject | undefined;
  /** The ARM ID, if it follows from names alone. */
  readonly resourceId: string | undefined;
  /** IDs of the steps that must end before. */
  readonly needs: readonly string[];
  /** ID of the step that creates its container; one of `needs`. */
  readonly within: string | undefined;
  /** The declaration as the engine calls it. */
  readonly declared: StepSpec<Needs, unknown, unknown>;
  readonly [outputType]?: Output;
}

export type Needs = Readonly<Record<string, Step<unknown>>>;

/** `needs` of any number of steps, by their IDs. */
export function byId<const S extends Step<unknown>>(steps: readonly S[]): Readonly<Record<string, S>> {
  return Object.fromEntries(steps.map((step) => [step.id, step]));
}

type OutputOf<S> = S extends Step<infer Output> ? Output : never;
export type OutputsOf<N extends Needs> = { readonly [K in keyof N]: OutputOf<N[K]> };

export interface StepSpec<N extends Needs, Live, Output> {
  readonly id: string;
  readonly title: string;
  readonly subject?: Subject;
  readonly resourceId?: string | undefined;
  /** The steps whose outputs this one uses, by the names it uses for them. */
  readonly needs: N;
  /** The step of `needs` that creates the container: if that does not exist yet, this step is not read. */
  readonly within?: keyof N & string;
  /** Its name may be taken outside the container: it is read when planning, even if the container does not exist yet. */
  readonly hasGlobalName?: true;
  /** The needs that must be known before `read`; absent if all. If only these are known, a plan reads the state for `preview`. */
  readonly neededToRead?: readonly (keyof N & string)[];
  /** Why only the run can read its state, although its container exists: a plan then says `wait`. `outputs` lacks those that are not known. */
  unread?(outputs: Partial<OutputsOf<N>>): string | undefined;
  /** The current state; undefined if it does not exist. Reads only. `outputs` has the outputs of `needs`, here and below. */
  read(outputs: OutputsOf<N>): Promise<Live | undefined>;
  /** The state of an operation in flight ("Updating"); the engine waits for its end before it decides. */
  busy?(live: Live): string | undefined;
  /** How long Azure usually takes for a write; 1 if absent. Of the ready steps, the one with the longest way to the end starts first. */
  readonly seconds?: number;
  /** A creation is harmless if the resource has appeared meanwhile, so it is not read a second time. */
  readonly upserts?: boolean;
  /** It ends the run: it runs after its `needs` have ended, with whatever result, and its failure is a warning. It may lack their outputs. */
  readonly isLast?: true;
  /** Each write adds a version, even an equal one. So it is read immediately before, also in a container that this run created. */
  readonly addsVersion?: boolean;
  /** The wanted state, with the names and values to compare with the current one; absent for a step that only looks up. */
  wanted?(outputs: OutputsOf<N>): object;
  /** Pure: takes the time from `now`. Called with the predicted `outputs` when planning, and the real one when running. */
  decide(live: Live | undefined, outputs: OutputsOf<N>, now: Date): Decision;
  /**
   * Writes, and returns the state after it. Called for create, update, replace and remove only.
   * @throws `Stale` if `live` is outdated.
   */
  apply(live: Live | undefined, outputs: OutputsOf<N>, io: StepIo): Promise<Live>;
  /** The commands by which somebody else can do what `apply` does, with the same result. */
  commands?(live: Live | undefined, outputs: OutputsOf<N>): readonly ShellCommand[];
  /** The output before creation, if it follows from names alone. Otherwise, dependents are planned as known only later. */
  predict?(outputs: OutputsOf<N>): Output;
  /**
   * What a plan says if some outputs are known only later; these are undefined. `live` is read only with `neededToRead`.
   * A step without `preview` is planned as created.
   */
  preview?(outputs: Partial<OutputsOf<N>>, now: Date, live: Live | undefined): Decision;
  output(live: Live, outputs: OutputsOf<N>): Output;
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

/** Declares a step that only looks up: what it finds is used or refused, never created or changed. */
export function defineLookup<const N extends Needs, Live, Output>(
  spec: Omit<StepSpec<N, Live, Output>, "apply" | "busy" | "predict" | "wanted">,
): Step<Output> {
  return defineStep({ ...spec, apply: () => Promise.reject(new Error(`${spec.id} only reads`)) });
}

export interface Removal {
  readonly id: string;
  readonly title: string;
  /** What is lost with it, for the plan. */
  readonly why?: string;
  /** For a plan that lists several in one line, if it has no resource ID: "application", "demo-cpo". Absent if there is only one. */
  readonly label?: { readonly noun: string; readonly name: string };
  readonly resourceId: string | undefined;
  /** IDs of removals that must end before this one. */
  readonly after: readonly string[];
  /** How long Azure usually takes; 1 if absent. */
  readonly seconds?: number;
  /** It runs after those in `after` have ended, with whatever result, and its failure is a warning. */
  readonly isLast?: true;
  /** "Already gone" is success. */
  remove(io: StepIo): Promise<void>;
}

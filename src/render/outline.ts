/** What a run will do, known before it starts: for the counts of its sections and an estimate of its end. */

/** A step before it starts. */
export interface OutlinedStep {
  readonly id: string;
  /** What steps of its kind are called: "certificates". Absent if it needs no work. */
  readonly section?: string | undefined;
  readonly needs: readonly string[];
  /** What it does in the words of the plan, if the engine has another word for it. */
  readonly shown?: "check";
  /** How long it usually takes, in milliseconds of this computer's clock. */
  readonly usualMs: number;
}

export interface Outline {
  readonly steps: readonly OutlinedStep[];
  /** Whether each step has a line when it is done, and not only its section. */
  readonly inFull: boolean;
}

/** `lost` if it failed, was skipped, or waits for one that did. */
export type StepTime = "pending" | "ended" | "lost" | { readonly runsForMs: number };

/** The share of its time by which a step that takes longer than usual is expected to go on. */
const overdueShare = 0.1;

/** Milliseconds until the last step ends: the longest chain of steps that are still to end. Undefined if none is. */
export function remainingMs(steps: readonly OutlinedStep[], timeOf: (id: string) => StepTime): number | undefined {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ends = new Map<string, number | "lost">();
  const endOf = (id: string): number | "lost" => {
    const known = ends.get(id);
    if (known !== undefined) return known;
    const end = ownEnd(byId.get(id));
    ends.set(id, end);
    return end;
  };
  const ownEnd = (step: OutlinedStep | undefined): number | "lost" => {
    const time = step === undefined ? "ended" : timeOf(step.id);
    if (step === undefined || time === "ended") return 0;
    if (time === "lost") return "lost";
    if (typeof time === "object") return Math.max(step.usualMs - time.runsForMs, time.runsForMs * overdueShare);
    const needs = step.needs.map(endOf).filter((end) => end !== "lost");
    return needs.length < step.needs.length ? "lost" : Math.max(0, ...needs) + step.usualMs;
  };
  const left = steps.map(({ id }) => endOf(id)).filter((end) => end !== "lost");
  const last = Math.max(0, ...left);
  return last === 0 ? undefined : last;
}

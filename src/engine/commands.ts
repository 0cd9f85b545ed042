/** The commands by which somebody with more permissions does what a plan would do. */
import type { ShellCommand } from "../errors/advice.js";
import { outputsOf } from "./outputs.js";
import { isWritten, type Plan, type PlannedStep } from "./plan.js";

export type ManualCommands =
  | { readonly commands: readonly ShellCommand[] }
  /** The titles of the steps that must be done before. */
  | { readonly after: readonly string[] };

/** Undefined for a step without such commands, or with nothing to do. */
export function commandsOf({ steps }: Plan, { step, decision, knownAfter, live }: PlannedStep): ManualCommands | undefined {
  const { needs, commands } = step.declared;
  if (commands === undefined || !isWritten({ decision })) return undefined;
  const planned = new Map(steps.map((one) => [one.step.id, one]));
  const container = step.within === undefined ? undefined : planned.get(step.within);
  // Its output may be predicted, but no command works before it exists.
  const absent = container !== undefined && container.live === undefined ? [container.step.title] : [];
  const after = [...new Set([...absent, ...knownAfter])];
  if (after.length > 0) return { after };
  return {
    commands: commands.call(
      step.declared,
      live,
      outputsOf(needs, (id) => planned.get(id)?.output?.value),
    ),
  };
}

/** The missing role assignments of a plan as a shell script, to run with more permissions. */
import type { Plan } from "../engine/plan.js";
import { commandsOf } from "../engine/commands.js";
import { shellLine } from "../errors/advice.js";
import { printable } from "../render/printable.js";

/** Lines of a shell. An assignment that waits for something is a comment, so that the reader sees every assignment. */
export function roleCommands(plan: Plan): string {
  const lines = plan.steps.flatMap((planned) => {
    const byHand = commandsOf(plan, planned);
    const title = printable(planned.step.title);
    if (byHand === undefined) return [];
    if ("after" in byHand) return [`# not possible yet: ${title} requires ${byHand.after.map(printable).join(", ")}`];
    return [`# ${title}`, ...byHand.commands.map(shellLine)];
  });
  return lines.length === 0 ? "# the plan creates no role assignments" : lines.join("\n");
}

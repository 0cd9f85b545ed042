/** Where new resources are created if no setting has the location: where their group is, or where a person wants them. */
import type { Azure } from "../azure/azure.js";
import { readGroup } from "../azure/group-contents.js";
import { Failure } from "../errors/failure.js";
import { askForText, canAsk } from "../render/prompt.js";
import type { CommandName } from "../settings/commands.js";
import { options } from "../settings/options.js";
import { checkSettings, requiredMessage } from "../settings/resolve.js";
import type { Origin, Resolved, Values } from "../settings/settings.js";
import type { RunContext } from "./run-context.js";

type Place = Pick<RunContext, "port" | "people" | "signal" | "say">;

/**
 * For a create. `group`: the resource group of what it creates, if it may exist.
 * @throws ARO-USAGE-001 if nothing has the location, and nobody can be asked
 */
export async function withLocation<C extends CommandName>(
  command: C,
  resolved: Resolved<C>,
  azure: Azure,
  context: Place,
  group?: string,
): Promise<Resolved<C>> {
  const placed = await inLocationOfGroup(resolved, azure, group);
  if (isKnown(placed)) {
    if (placed !== resolved)
      context.say(`notice: the location is ${String((placed.settings as Values).location)}, that of resource group ${group ?? ""}`);
    return placed;
  }
  const location = await asked(context);
  const { problems } = await checkSettings(command, { ...resolved.settings, location }, {});
  const wrong = problems.filter(({ key }) => key === "location").map(({ origin, message }) => ({ origin, message }));
  if (wrong.length > 0) throw new Failure("ARO-USAGE-001", "the location cannot be used; nothing was changed", { problems: wrong });
  return inLocation(resolved, location, { source: "flag", label: "--location" });
}

/** For a command that compares with what exists: without its group, it has nothing to compare. */
export async function inLocationOfGroup<C extends CommandName>(resolved: Resolved<C>, azure: Azure, group?: string): Promise<Resolved<C>> {
  if (isKnown(resolved) || group === undefined) return resolved;
  const { location } = (await readGroup(azure, group)) ?? {};
  return location === undefined ? resolved : inLocation(resolved, location, { source: "record", label: "existing --location" });
}

export const noLocation = "notice: without --location, what a region offers is checked in eastus";

/** The emulator has a default, because nothing is stored anywhere else. */
export function isKnown({ settings, origins }: Pick<Resolved<CommandName>, "settings" | "origins">): boolean {
  return origins.location?.source !== "default" || (settings as Values).cloud === "local";
}

function inLocation<C extends CommandName>(resolved: Resolved<C>, location: string, origin: Origin): Resolved<C> {
  return { ...resolved, settings: { ...resolved.settings, location }, origins: { ...resolved.origins, location: origin } };
}

/** @throws ARO-USAGE-001 without a terminal; ARO-RUN-002 without an answer */
async function asked({ port, people, signal }: Place): Promise<string> {
  const streams = { input: port.stdin, output: people, signal, turn: port.clock.turn };
  if (!canAsk(streams)) {
    throw new Failure("ARO-USAGE-001", "1 setting cannot be used", {
      problems: [{ origin: "--location", message: requiredMessage(options.location) }],
      next: ["pass the location where the resources and their data should be, such as --location westus3"],
    });
  }
  const answer = await askForText("Azure location of all created resources, such as westus3:", 20, streams);
  if (answer === "") throw new Failure("ARO-RUN-002", "no answer for --location; nothing was changed");
  return answer;
}

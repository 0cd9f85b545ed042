/** Adds the options that select this run's Azure cloud to advised commands. No other code adds them. */
import { adviceText, type RenderAdvice } from "../../errors/advice.js";
import { commandLine, type Connection } from "../../settings/command-line.js";
import { commandNames, optionsOf } from "../../settings/commands.js";
import type { SubscriptionInFile } from "../inputs/subscription.js";

/** The selection of the Azure cloud. Empty if no command was parsed. */
export interface ConnectionFlagSettings extends Connection {
  /** The running command: `create infra`. */
  readonly command?: string | undefined;
  /** The defaults of the selection. */
  readonly documentSubscription?: SubscriptionInFile | undefined;
  /** All settings of the run: an advised command uses those that it requires. */
  readonly known?: Readonly<object> | undefined;
}

const usualCloud = "AzurePublicCloud";

/** From flag, variable or file: whoever pastes the line may have neither variable nor file. Defaults are omitted. */
export function adviceRenderer(settings: ConnectionFlagSettings): RenderAdvice {
  const { cloud, azureCreds, documentSubscription, known } = settings;
  const running = commandNames.find((name) => name === settings.command);
  const flags = running && new Set<string>(optionsOf(running).map(({ flag }) => flag));
  // The credentials file contains it, also that of the emulator.
  const ofDocument = azureCreds === undefined && cloud !== "local" ? documentSubscription?.id : undefined;
  const connection = { cloud: cloud === usualCloud ? undefined : cloud, azureCreds, subscription: settings.subscription ?? ofDocument };
  return (advice) =>
    adviceText(
      advice,
      (command) => commandLine(command, connection, { ...known }),
      (flag) => flags?.has(flag) ?? true,
    );
}

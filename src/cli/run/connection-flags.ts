/** Advice works on the Azure that this run works on: what chose it is added to the commands that are advised, here and nowhere else. */
import { adviceText, type RenderAdvice } from "../../errors/advice.js";
import { commandLine, type Connection } from "../../settings/command-line.js";
import type { SubscriptionInFile } from "../inputs/subscription.js";

/** What chooses the Azure. Nothing is known of it where no command was understood. */
export interface ConnectionFlagSettings extends Connection {
  /** Chosen by it where nothing else does. */
  readonly documentSubscription?: SubscriptionInFile | undefined;
}

const usualCloud = "AzurePublicCloud";

/** Given by flag, variable or file: whoever pastes the line may have neither here. What is at its default is left out. */
export function adviceRenderer(settings: ConnectionFlagSettings): RenderAdvice {
  const { cloud, azureCreds, documentSubscription } = settings;
  // A credentials file says it, as that of the emulator does.
  const ofDocument = azureCreds === undefined && cloud !== "local" ? documentSubscription?.id : undefined;
  const connection = { cloud: cloud === usualCloud ? undefined : cloud, azureCreds, subscription: settings.subscription ?? ofDocument };
  return (advice) => adviceText(advice, (command) => commandLine(command, connection));
}

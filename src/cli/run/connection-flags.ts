/** A command that somebody is told to run works on the Azure that this run works on: what chose it is put into every such line, here and nowhere else. */
import { shellWord } from "../../errors/shell-word.js";
import { commandNames, optionsOf } from "../../settings/commands.js";
import type { SubscriptionInFile } from "../inputs/subscription.js";

/** What chooses the Azure. Nothing is known of it where no command was understood. */
export interface ConnectionFlagSettings {
  readonly cloud?: string | undefined;
  readonly azureCreds?: string | undefined;
  readonly subscription?: string | undefined;
  /** Chosen by it where nothing else does. */
  readonly documentSubscription?: SubscriptionInFile | undefined;
}

const usualCloud = "AzurePublicCloud";

/**
 * Given by flag, variable or file: whoever pastes the line may have neither here. What is at its default is left out; so is what a line says already
 * and what its command does not take.
 */
export function connectionFlags(settings: ConnectionFlagSettings): (text: string) => string {
  const { cloud = usualCloud, azureCreds, documentSubscription } = settings;
  // A credentials file says it, as that of the emulator does.
  const ofDocument = azureCreds === undefined && cloud !== "local" ? documentSubscription?.id : undefined;
  const subscription = settings.subscription ?? ofDocument;
  const given = [
    ["--cloud", cloud === usualCloud ? undefined : cloud],
    ["--azure-creds", azureCreds],
    ["--subscription", subscription],
  ] as const;
  const chosen = given.flatMap(([flag, value]) => (value === undefined ? [] : [{ flag, words: `${flag} ${shellWord(value)}` }]));
  if (chosen.length === 0) return (text) => text;
  return (text) =>
    text.replace(/(?<=`aro-hcp )[^`]+(?=`)/g, (line) => {
      const command = commandNames.find((name) => line === name || line.startsWith(`${name} `));
      if (command === undefined) return line;
      const flags = line.slice(command.length);
      const taken = optionsOf(command).map((option) => option.flag);
      const missing = chosen.filter(({ flag }) => taken.includes(flag) && !flags.includes(`${flag} `));
      return [command, ...missing.map(({ words }) => words)].join(" ") + flags;
    });
}

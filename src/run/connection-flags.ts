/** Adds the options that select this run's Azure cloud to advised commands. */
import { adviceText, type OwnCommand, type RenderAdvice } from "../errors/advice.js";
import { commandLine, type Connection } from "../settings/format-command.js";
import { commandNames, optionsOf, takes } from "../settings/commands.js";
import { variableOf } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import type { SubscriptionInFile } from "./subscription.js";

/** The settings of a cluster, as far as flags or an output file of create infra contain them. */
export interface KnownCluster {
  readonly name?: string;
  readonly infraId?: string;
  readonly baseDomain?: string;
  readonly dnsZoneRgName?: string;
}

/** The selection of the Azure cloud. Empty if no command was parsed. */
export interface ConnectionFlagSettings extends Connection {
  /** The running command: `create infra`. */
  readonly command?: string | undefined;
  /** The defaults of the selection. */
  readonly documentSubscription?: SubscriptionInFile | undefined;
  /** All settings of the run: an advised command uses those that it requires. */
  readonly known?: Readonly<object> | undefined;
  /** The variables of the process: they have settings that another command takes. */
  readonly variables?: NodeJS.ProcessEnv | undefined;
  /** The cluster in the files of the run, for advised commands about a cluster. */
  readonly cluster?: KnownCluster | undefined;
}

/** An identity set can have another name than the cluster that uses it. */
function isAboutCluster({ run }: OwnCommand): boolean {
  const command = commandNames.find((name) => name === run);
  return command !== undefined && takes(command, "infraId");
}

const usualCloud = "AzurePublicCloud";

/** Includes values of variables and files, which the user who pastes the line may not have. Omits defaults. */
export function adviceRenderer(settings: ConnectionFlagSettings): RenderAdvice {
  const { cloud, azureCreds, documentSubscription, known, cluster } = settings;
  const running = commandNames.find((name) => name === settings.command);
  const flags = running && new Set<string>(optionsOf(running).map(({ flag }) => flag));
  // The credentials file contains it, also that of the emulator.
  const ofDocument = azureCreds === undefined && cloud !== "local" ? documentSubscription?.id : undefined;
  const connection = { cloud: cloud === usualCloud ? undefined : cloud, azureCreds, subscription: settings.subscription ?? ofDocument };
  const ofVariables = Object.fromEntries(allOptions.map((option) => [option.key, settings.variables?.[variableOf(option)] || undefined]));
  // A plan has not begun anything that a rerun could continue.
  const isPlan = known !== undefined && "dryRun" in known && known.dryRun === true;
  return (advice) =>
    adviceText(
      advice,
      (command) => commandLine(command, connection, { ...ofVariables, ...known, ...(isAboutCluster(command) && cluster) }),
      (flag) => !(isPlan && flag === "--yes") && (flags?.has(flag) ?? true),
    );
}

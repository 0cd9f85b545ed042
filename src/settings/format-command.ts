/** Formats a command of this program as one line: its settings as flags, including those that select the Azure cloud. */
import { blank, blankText, shellLine, type OwnCommand, type SettingValue } from "../errors/advice.js";
import { shellWord } from "../errors/shell-word.js";
import { commandNames, optionsOf, type CommandName } from "./commands.js";
import type { Option } from "./option.js";
import { allOptions } from "./options.js";
import type { SettingKey, Settings } from "./settings.js";

/** Only settings that a command accepts can be used in advice; others do not compile. */
type AdvisedCommands = { readonly [C in CommandName]: Settings<C> } & { readonly "local reset": object };

declare module "../errors/advice.js" {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- only an interface can be declared in two places.
  interface OwnCommands extends AdvisedCommands {}
}

/** The settings that select the Azure cloud, if not the default, by key. */
export type Connection = Readonly<Partial<Record<"cloud" | "azureCreds" | "subscription", string | undefined>>>;

const connectionKeys = ["cloud", "azureCreds", "subscription"] as const satisfies readonly (keyof Connection)[];

/** Settings that a command requires only without certain files. */
const neededWithout: Readonly<Partial<Record<CommandName, { readonly files: readonly string[]; readonly needed: readonly SettingKey[] }>>> =
  {
    "show infra": { files: ["infraFile"], needed: ["name", "infraId"] },
    "destroy infra": { files: ["infraFile"], needed: ["name", "infraId"] },
    "verify infra": { files: ["infraFile", "inputDir"], needed: ["name", "infraId"] },
    "verify identities": { files: ["inputDir", "managedIdentitiesFile", "dataPlaneIdentitiesFile"], needed: ["inputDir"] },
  };

/** The required settings that an advised command lacks: those of the run, otherwise placeholders, so that the line is complete. */
function missingSettings(command: CommandName, settings: OwnCommand["settings"], known: Readonly<Record<string, unknown>>) {
  const { files = [], needed = [] } = neededWithout[command] ?? {};
  const required = optionsOf(command).filter(({ isRequired }) => isRequired);
  const file = files.find((key) => typeof known[key] === "string");
  const inFile = needed.some((key) => known[key] === undefined) && file !== undefined ? [file] : needed;
  const conditional = files.some((key) => settings[key] !== undefined) ? [] : inFile;
  return [...required.map(({ key }) => key), ...conditional]
    .filter((key) => settings[key] === undefined)
    .map((key) => {
      const option = optionsOf(command).find((one) => one.key === key);
      const value = known[key] ?? (option?.orElse && known[option.orElse]);
      const flag = option?.flag ?? key;
      return [key, typeof value === "string" ? value : blank(flag.replace("--", ""))] as const;
    });
}

/** `known`: the settings of the run. The connection comes first, unless the settings contain it or the command does not accept it. Undefined, false and empty values are omitted. */
export function commandLine(
  { run, settings, pipe }: OwnCommand,
  connection: Connection,
  known: Readonly<Record<string, unknown>> = {},
): string {
  const command = commandNames.find((name) => name === run);
  const options = command === undefined ? [] : optionsOf(command);
  const connectionSettings = connectionKeys.map((key) => [key, key in settings ? undefined : connection[key]] as const);
  const missing = command === undefined ? [] : missingSettings(command, settings, known);
  const args = [...connectionSettings, ...Object.entries(settings), ...missing].flatMap(([key, value]) => {
    const option = options.find((one) => one.key === key);
    const ofRun = isBlank(value) ? known[key] : undefined;
    return option === undefined ? [] : argumentsOf(option, typeof ofRun === "string" ? ofRun : value);
  });
  return ["aro-hcp", run, ...args, ...(pipe === undefined ? [] : ["|", shellLine(pipe)])].join(" ");
}

function isBlank(value: SettingValue): boolean {
  return typeof value === "object" && !isList(value) && blankText(value) !== undefined;
}

/** One setting as flags: "--egress nat-gateway"; empty if the setting is unset. */
export function settingArguments(key: SettingKey, value: SettingValue): string {
  const option = allOptions.find((one) => one.key === key);
  return option === undefined ? "" : argumentsOf(option, value).join(" ");
}

function argumentsOf({ flag, kind }: Option, value: SettingValue): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  if (typeof value === "number") return [`${flag} ${String(value)}${kind === "duration" ? "ms" : ""}`];
  if (typeof value === "string") return [`${flag} ${shellWord(value)}`];
  if (isList(value)) return value.map((item) => `${flag} ${shellWord(item)}`);
  const blank = blankText(value);
  if (blank !== undefined) return [`${flag} ${blank}`];
  return Object.entries(value).map(([tag, text]) => `${flag} ${shellWord(`${tag}=${text}`)}`);
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

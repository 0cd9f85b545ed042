/** `show settings COMMAND`: the value of each setting of a command, and where it comes from. */
import { toFailure } from "../azure/to-failure.js";
import { advise, aroHcp } from "../errors/advice.js";
import type { FailureCode } from "../errors/catalogue.js";
import { Failure } from "../errors/failure.js";
import { readDocument } from "../files/read.js";
import { printDocument } from "../render/document.js";
import { screensOf } from "../render/screen.js";
import { table } from "../render/table.js";
import { hanging, sentence } from "../render/wrapped.js";
import { isCommand, optionsOf, type CommandName, type CommandOption } from "../settings/commands.js";
import { variableOf } from "../settings/option.js";
import { resolveSettings, type Sources } from "../settings/resolve.js";
import type { Origin, Resolved, SettingKey } from "../settings/settings.js";
import { unknownCommandMessage } from "./arguments.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContextSettings } from "../run/run-context.js";
import type { ConnectSettings } from "../run/connect.js";
import { isKnown } from "../run/location.js";
import { withConnection } from "../run/with-connection.js";
import type { Azure } from "../azure/azure.js";
import { features } from "../features.js";

const command = "show settings";

interface ShownSetting {
  readonly key: string;
  readonly flag: string;
  readonly variable: string;
  /** Absent if it is not set. */
  readonly value?: unknown;
  readonly source: "flag" | "variable" | "config-file" | "record" | "default" | "implied" | "missing" | "none";
  /** Where exactly: the flag, the variable, `file:line`. */
  readonly origin?: string;
}

/** `words` is the command to show. */
export async function run(
  { settings }: Resolved<typeof command>,
  port: ProcessPort,
  words = "",
  { flags }: { readonly flags: Sources["flags"] },
): Promise<number> {
  const shown = shownCommand(words);
  const resolved = await resolveSettings(shown, {
    flags,
    environment: port.environment,
    readConfig: readDocument,
    allowsMissing: true,
  });
  const { result, people } = screensOf(port, settings.color);
  for (const notice of resolved.notices) people.print(sentence(people, `notice: ${notice}`));
  const isIncomplete = optionsOf(shown).some((option) => isMissing(shown, option, resolved) && option.isRequired);
  const recall = isIncomplete ? undefined : await recallOf(shown);
  const { found, record } = recall ? await withRecord(recall, shown, resolved, port) : { found: resolved, record: "none" as const };
  const rows = optionsOf(shown).map((option) => shownSetting(option, found, isMissing(shown, option, found)));
  if (settings.output === "json") {
    printDocument(result, { ok: true, command, of: shown, record, settings: rows });
    return 0;
  }
  const isSet = ({ source }: ShownSetting) => source !== "none";
  const cells = rows.filter(isSet).map((row) => [row.key, row.source === "missing" ? "missing" : valueText(row.value), whence(row)]);
  result.show(table(result, ["SETTING", "VALUE", "FROM"], cells));
  const others = rows.filter((row) => !isSet(row)).map(({ key }) => key);
  if (others.length > 0) result.print(hanging(result, "not set: ", "not set: ".length, others.join(", ")).join("\n"));
  return 0;
}

function shownCommand(words: string): CommandName {
  if (isCommand(words) && words !== command) return words;
  throw new Failure("ARO-USAGE-001", unknownCommandMessage(words.split(" ")), { next: [advise`${aroHcp("help")} lists the commands`] });
}

/** Ctrl-C, the end of a process, and a bug. */
const ends: readonly FailureCode[] = ["ARO-RUN-004", "ARO-RUN-005", "ARO-BUG-001"];

/** The record of the cluster, as the command reads it. Without access to Azure, the other settings are still right. */
async function withRecord(recall: Recall, shown: CommandName, resolved: Resolved<CommandName>, port: ProcessPort) {
  // These commands have the settings of a connection, which types cannot express.
  const connection = resolved.settings as unknown as ConnectSettings & RunContextSettings;
  let found = resolved;
  try {
    await withConnection({ ...connection, command, outputEvents: undefined }, [], port, async (azure, context) => {
      found = await recall(azure, shown, resolved, context.say);
      return 0;
    });
    const isRead = Object.values(found.origins).some(({ source }) => source === "record");
    return { found, record: isRead ? ("read" as const) : ("absent" as const) };
  } catch (error) {
    const { message, because, code } = toFailure(error, "reading the record");
    if (ends.includes(code)) throw error;
    const { people } = screensOf(port, connection.color);
    const why = [message, because].filter(Boolean).join(": ");
    people.print(sentence(people, `notice: the record of the cluster was not read: ${why}  [${code}]`));
    return { found, record: "unread" as const };
  }
}

const sources = {
  flag: "flag",
  environment: "variable",
  file: "config-file",
  record: "record",
  default: "default",
} as const satisfies Record<Origin["source"], ShownSetting["source"]>;

/** Away from the emulator, a create needs a location, which has a default in the table of options. */
function isMissing(command: CommandName, option: CommandOption, resolved: Resolved<CommandName>): boolean {
  if (option.key === "location") return command.startsWith("create ") && !isKnown(resolved);
  return option.isRequired && (resolved.settings as Readonly<Record<string, unknown>>)[option.key] === undefined;
}

function shownSetting(option: CommandOption, { settings, origins }: Resolved<CommandName>, missing: boolean): ShownSetting {
  const { key, flag } = option;
  const value = valueOf(option, (settings as Readonly<Record<string, unknown>>)[key]);
  const origin = origins[key as SettingKey];
  const about = { key, flag, variable: variableOf(option) };
  if (missing) return { ...about, source: "missing" };
  // What exists shows also what a cluster does not have.
  if (origin !== undefined && !(origin.source === "record" && isEmpty(value)))
    return { ...about, value, source: sources[origin.source], ...(origin.source !== "default" && { origin: origin.label }) };
  return isUnset(value) ? { ...about, source: "none" } : { ...about, value, source: "implied" };
}

/** The value as a configuration file has it. */
function valueOf({ kind }: CommandOption, value: unknown): unknown {
  return kind === "duration" && typeof value === "number" ? durationText(value) : value;
}

/** 90m, 1h, 1500ms: the largest unit that divides it. */
function durationText(ms: number): string {
  const [size, unit] = (
    [
      [3_600_000, "h"],
      [60_000, "m"],
      [1000, "s"],
    ] as const
  ).find(([each]) => ms % each === 0) ?? [1, "ms"];
  return `${String(ms / size)}${unit}`;
}

function isUnset(value: unknown): boolean {
  return value === false || isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

function valueText(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    return Array.isArray(value)
      ? value.join(",")
      : Object.entries(value)
          .map(([key, text]) => `${key}=${String(text)}`)
          .join(",");
  }
  return String(value);
}

function whence({ key, flag, variable, source, origin }: ShownSetting): string {
  if (source === "missing") return `pass ${flag}, or set ${variable}, or ${key} in a --config file`;
  return origin === undefined || source === "record" ? source : origin;
}

/** Reads the settings that a cluster was created with; `say` reports what the command would. */
type Recall = (
  azure: Azure,
  command: CommandName,
  resolved: Resolved<CommandName>,
  say: (text: string) => void,
) => Promise<Resolved<CommandName>>;

/** Undefined for a command that does not keep or read the settings that its cluster was created with: it sends no requests for them. */
async function recallOf(command: CommandName): Promise<Recall | undefined> {
  const all = await Promise.all(features.flatMap((feature) => ("recalled" in feature ? [feature.recalled()] : [])));
  return all.find(({ hasRecord }) => hasRecord(command))?.recalledSettings;
}

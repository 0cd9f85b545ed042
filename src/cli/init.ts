/** Runs `init`, which writes a commented configuration file from answers or flags. */
import { basename, extname } from "node:path";
import type { Random } from "../azure/random.js";
import { Failure, type Problem } from "../errors/failure.js";
import { writeTextOnce } from "../files/write.js";
import { askForText, canAsk, type PromptStreams } from "../render/prompt.js";
import { screensOf } from "../render/screen.js";
import { checkSettings } from "../settings/resolve.js";
import { optionsOf, type CommandOption } from "../settings/commands.js";
import { variableOf } from "../settings/option.js";
import { parseValue } from "../settings/parse-value.js";
import type { Origin, Resolved, SettingKey, Settings, Values } from "../settings/settings.js";
import { jsonText } from "../text/control.js";
import { plural } from "../text/plural.js";
import { configFileText } from "./config-file-text.js";
import { configJsonSchema } from "../settings/config-schema.js";
import type { ProcessPort } from "../run/process-port.js";

type Given = Partial<Omit<Settings<"init">, "color" | "debug" | "outputFile">>;
type Key = keyof Given;

/** What `create all` requires. The emulator has a location of its own. */
function askedFor({ cloud }: Given): readonly CommandOption[] {
  return optionsOf("create all").filter(({ key, isRequired }) => isRequired || (key === "location" && cloud !== "local"));
}

export async function run({ settings, origins }: Resolved<"init">, port: ProcessPort): Promise<number> {
  const { outputFile: path, color, ...others } = settings;
  const { people, result } = screensOf(port, color);
  const streams = { input: port.stdin, output: people, signal: new AbortController().signal, turn: port.clock.turn };
  // A default is a comment in the file.
  const given = Object.fromEntries(Object.entries(others).filter(([key]) => isSet(origins[key as SettingKey]))) as Given;
  const values = canAsk(streams) ? await withAnswers(given, streams, port.random) : complete(given);
  const { outputDir = "", ...shared } = values;
  const schema = `${basename(path, extname(path))}.schema.json`;
  const text = configFileText({ path, schema: `./${schema}`, values: shared, outputDir });
  if (!(await writeTextOnce(path, text, 0o644))) {
    throw new Failure("ARO-FILE-004", `cannot write ${path}: the file exists`, {
      because: "an existing configuration is never replaced",
      next: ["pass another path as --output-file, or delete the file"],
    });
  }
  const schemaPath = `${path.slice(0, path.length - basename(path).length)}${schema}`;
  const isNew = await writeTextOnce(schemaPath, `${jsonText(configJsonSchema(), 2)}\n`, 0o644);
  result.print([path, ...(isNew ? [schemaPath] : [])].join("\n"));
  people.print(`next: pass the file with --config ${path}: doctor checks the prerequisites, and create all creates everything`);
  return 0;
}

function isSet(origin: Origin | undefined): boolean {
  return origin !== undefined && origin.source !== "default";
}

/** The name and the infra ID lead to the others. */
function suggestion(key: string, values: Given, random: Random): string | undefined {
  if (key === "infraId" && values.name !== undefined) return randomSuffix(random);
  return key === "outputDir" ? values.name : undefined;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** "x7k2": four letters and digits, the first a letter. */
function randomSuffix(random: Random): string {
  const characters = [letters, ...Array<string>(3).fill(`${letters}0123456789`)];
  return characters.map((from) => from.charAt(Math.floor(random.fraction() * from.length))).join("");
}

/** @throws ARO-RUN-002 if a question without a suggestion is not answered */
async function withAnswers(given: Given, streams: PromptStreams, random: Random): Promise<Given> {
  let values = given;
  for (const option of askedFor(given)) {
    const key = option.key as Key;
    while (values[key] === undefined) {
      const suggested = suggestion(key, values, random);
      const hint = suggested === undefined ? "" : ` (Enter: ${suggested})`;
      const answer = (await askForText(`${option.help}${hint}:`, 20, streams)) || suggested;
      if (answer === undefined) throw new Failure("ARO-RUN-002", `no answer for ${option.flag}; nothing was written`);
      const problems = await problemsWith(option, answer, values);
      if (problems.length === 0) values = { ...values, [key]: answer };
      for (const problem of problems) streams.output.print(`${option.flag} ${problem}`);
    }
  }
  return values;
}

/** The checks of `create all` that this value fails. Those that need values which are not known yet come with these. */
async function problemsWith(option: CommandOption, answer: string, known: Given): Promise<readonly string[]> {
  const parsed = parseValue(option, answer);
  if ("problem" in parsed) return [parsed.problem];
  const values = { ...known, [option.key]: parsed.value } as Values;
  const { problems } = await checkSettings("create all", values, {});
  return problems.filter(({ key }) => key === option.key).map(({ message }) => message);
}

/** @throws ARO-USAGE-001 for each value that is missing */
function complete(given: Given): Given {
  const missing = askedFor(given).filter(({ key }) => given[key as Key] === undefined);
  if (missing.length === 0) return given;
  const problems = missing.map((option): Problem => ({
    origin: option.flag,
    message: `is required without a terminal; you can also set ${variableOf(option)}`,
  }));
  throw new Failure("ARO-USAGE-001", `${plural(missing.length, "setting")} cannot be asked for`, { problems });
}

/** Checks the recorded settings of an AKS cluster like given ones: a tag or a file may have been edited. */
import type { ClusterKind } from "../../domain/aks/cluster-kind.js";
import { optionTagText, optionsTag } from "../../domain/option-tags.js";
import type { Tags } from "../../domain/tags.js";
import { Failure } from "../../errors/failure.js";
import type { ClusterOptions } from "../../files/aks-cluster-output.js";
import { optionsOf, type CommandOption } from "../../settings/commands.js";
import { defaultOf, parseValue } from "../../settings/parse-value.js";
import { checkSettings } from "../../settings/resolve.js";
import { parseJsonObject } from "../../text/json.js";

/** Of a run, of this machine, or in the name of the cluster. */
const notRecorded: ReadonlySet<string> = new Set([
  "name",
  "subscription",
  "cloud",
  "azureCreds",
  "config",
  "color",
  "plain",
  "debug",
  "output",
  "timeout",
  "concurrency",
  "dryRun",
  "exitCode",
  "plan",
  "yes",
  "events",
  "report",
  "roleCommands",
  "timings",
  "outputFile",
  "kubeconfigOutputFile",
]);

/** Every option that determines the resources of a cluster of that kind. */
export function recordedClusterOptions(kind: ClusterKind): readonly CommandOption[] {
  return optionsOf(`create ${kind}`).filter(({ key }) => !notRecorded.has(key));
}

interface Fault {
  readonly key: string;
  readonly message: string;
}

type Read = { readonly record: ClusterOptions } | { readonly faults: readonly Fault[] };

/** With values of the types that the options have: a list may be recorded as text. Keys of later versions of this program are left out. */
function readRecord(kind: ClusterKind, raw: Readonly<Record<string, unknown>>): Read {
  const options = recordedClusterOptions(kind);
  const read = options.flatMap((option) => {
    const given = Object.hasOwn(raw, option.key) ? raw[option.key] : undefined;
    return given === undefined ? [] : [{ key: option.key, parsed: parseValue(option, given) }];
  });
  const malformed = read.flatMap(({ key, parsed }) => ("problem" in parsed ? [{ key, message: parsed.problem }] : []));
  if (malformed.length > 0) return { faults: malformed };
  const record = Object.fromEntries(read.map(({ key, parsed }) => [key, "value" in parsed ? parsed.value : undefined]));
  const { problems } = checkSettings(`create ${kind}`, { ...defaultsOf(options), ...record }, {});
  if (problems.length > 0) return { faults: problems.map(({ key, message }) => ({ key, message })) };
  return { record: record as ClusterOptions };
}

function defaultsOf(options: readonly CommandOption[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(options.flatMap((option) => (option.default === undefined ? [] : [[option.key, defaultOf(option)]])));
}

/** Undefined if the tags contain no record, or an invalid one, which `say` reports: a destroy must be possible with any tag. */
export function clusterRecordInTags(kind: ClusterKind, tags: Tags, say: (text: string) => void): ClusterOptions | undefined {
  const text = optionTagText(tags);
  if (text === undefined) return undefined;
  const raw = parseJsonObject(text);
  const read = raw === undefined ? undefined : readRecord(kind, raw);
  if (read !== undefined && "record" in read) return read.record;
  const why = read === undefined ? "it is not a JSON object" : read.faults.map(({ key, message }) => `${key}: ${message}`).join("; ");
  say(`notice: tag ${optionsTag} of the cluster is ignored, because its value ${text.trim()} is invalid: ${why}`);
  return undefined;
}

/**
 * The record of a file, if it has one.
 * @throws ARO-FILE-003 that names the file and each invalid key
 */
export function validClusterOptions(kind: ClusterKind, options: ClusterOptions | undefined, path: string): ClusterOptions | undefined {
  if (options === undefined) return undefined;
  const read = readRecord(kind, options);
  if ("record" in read) return read.record;
  throw new Failure("ARO-FILE-003", `${path} is not valid as an output file of create ${kind}`, {
    problems: read.faults.map(({ key, message }) => ({ origin: path, message: `options.${key}: ${message}` })),
    next: ["correct these options in the file, or remove `options` from it to use the tags of the cluster instead"],
  });
}

/** Checks recorded settings like given ones: a tag or a file may have been edited. */
import { optionTagText, optionsTag } from "../../domain/option-tags.js";
import type { Tags } from "../../domain/tags.js";
import { Failure } from "../../errors/failure.js";
import { clusterRecordSchema, recordedKeys, type ClusterRecord, type RecordedOptions } from "../../files/recorded-options.js";
import { optionsOf } from "../../settings/commands.js";
import { defaultOf, parseValue } from "../../settings/parse-value.js";
import { checkSettings } from "../../settings/resolve.js";
import type { SettingKey, Values } from "../../settings/settings.js";

interface Fault {
  /** Path in the record: "vnetId", "resourceGroupTags.team"; empty for the record as a whole. */
  readonly key: string;
  readonly message: string;
}

/** A recorded role assignment needs no identities: `create infra` then leaves the roles as they are. */
export const allowedWithoutIdentities: ReadonlySet<SettingKey> = new Set(["assignIdentityRoles", "assignCustomHcpRoles"]);

const recordedOptions = optionsOf("create infra").filter(({ key }) => recordedKeys.some((recorded) => recorded === key));

function faultsOf(raw: unknown): readonly Fault[] {
  const read = clusterRecordSchema.safeParse(raw);
  if (!read.success) return read.error.issues.map(({ path, message }) => ({ key: path.map(String).join("."), message }));
  const given: Readonly<Record<string, unknown>> = read.data;
  const malformed = recordedOptions.flatMap((option) => {
    const parsed = given[option.key] === undefined ? undefined : parseValue(option, given[option.key]);
    return parsed !== undefined && "problem" in parsed ? [{ key: option.key, message: parsed.problem }] : [];
  });
  if (malformed.length > 0) return malformed;
  const defaults = Object.fromEntries(recordedOptions.map((option) => [option.key, defaultOf(option)]));
  const values = { ...defaults, ...given } as Values;
  return checkSettings("create infra", values, {})
    .problems.filter(({ key }) => !allowedWithoutIdentities.has(key))
    .map(({ key, message }) => ({ key, message }));
}

function textOf({ key, message }: Fault): string {
  return key === "" ? message : `${key}: ${message}`;
}

/** Undefined if the tags contain no record, or an invalid one, which `say` reports: a destroy must be possible with any tag. */
export function recordInTags(tags: Tags, say: (text: string) => void): ClusterRecord | undefined {
  const text = optionTagText(tags);
  if (text === undefined) return undefined;
  const ignored = (why: string) => {
    say(`notice: tag ${optionsTag} of the cluster is ignored, because its value ${text.trim()} is invalid: ${why}`);
    return undefined;
  };
  try {
    const raw: unknown = JSON.parse(text);
    const faults = faultsOf(raw);
    return faults.length === 0 ? clusterRecordSchema.parse(raw) : ignored(faults.map(textOf).join("; "));
  } catch {
    return ignored("it is not JSON");
  }
}

/** Whether it could be the record of a cluster. */
export function isValidRecord(record: RecordedOptions | undefined): boolean {
  return record === undefined || faultsOf(record).length === 0;
}

/**
 * The record of a file, if it has one.
 * @throws ARO-FILE-003 that names the file and each invalid key
 */
export function requireValidRecord<R extends RecordedOptions | undefined>(record: R, path: string): R {
  const faults = record === undefined ? [] : faultsOf(record);
  if (faults.length === 0) return record;
  throw new Failure("ARO-FILE-003", `${path} is not valid as an output file of create infra`, {
    problems: faults.map(({ key, message }) => ({ origin: path, message: `options.${key}: ${message}` })),
    next: ["correct these options in the file, or remove `options` from it to use the tags of the cluster instead"],
  });
}

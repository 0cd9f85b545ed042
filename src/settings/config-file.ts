/** The values of a configuration file, by option. Independent of the format; the caller reads the file. */
import { firstProblems, type Problem } from "../errors/failure.js";
import { didYouMean } from "../text/did-you-mean.js";
import type { Option } from "./option.js";
import { allOptions } from "./options.js";

/** A parsed file: its value, and the position of each part. */
export interface ConfigDocument {
  readonly value: unknown;
  /** `file:line` of the value under these keys. */
  at(keys: readonly string[]): string;
}

export interface ConfigValues {
  /** The file's value of an option, if any. */
  get(option: Option): { readonly raw: unknown; readonly label: string } | undefined;
  readonly problems: readonly Problem[];
}

/** One file can serve several commands: keys of other commands are ignored, unknown keys are errors. */
export function configValues(document: ConfigDocument): ConfigValues {
  const { value } = document;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { get: () => undefined, problems: [{ origin: document.at([]), message: "must be a mapping of settings, `key: value`" }] };
  }
  const keys = allOptions.filter((option) => option.notInFile !== true).map((option) => option.key);
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  const problems = firstProblems(unknown, (key) => ({ origin: document.at([key]), message: keyProblem(key, keys) }));
  return {
    get: ({ key, notInFile }) =>
      notInFile !== true && Object.hasOwn(value, key)
        ? { raw: (value as Record<string, unknown>)[key], label: document.at([key]) }
        : undefined,
    problems,
  };
}

function keyProblem(key: string, keys: readonly string[]): string {
  const flagOnly = allOptions.find((option) => option.key === key);
  if (flagOnly !== undefined) return `"${key}" cannot be set in a file; pass ${flagOnly.flag}`;
  return `"${key}" is not a setting${didYouMean(key, keys)}`;
}

/** A file that a command writes, replaced only if it is the same command's earlier output for the same owner. */
import type { z } from "zod";
import { Failure } from "../errors/failure.js";
import { parseJson } from "../text/json.js";
import { readInputFile } from "./input-file.js";

/** A file that is already at the path, and is not empty. */
export interface ExistingFile {
  readonly text: string;
  /** Undefined if it is not JSON. */
  readonly json: unknown;
}

/** What the file is instead of an earlier output: "the file of cluster blue". Undefined if it is one. */
export type OwnershipCheck = (existing: ExistingFile) => string | undefined | Promise<string | undefined>;

export interface OutputFile {
  readonly path: string;
  readonly otherOwner: OwnershipCheck;
}

/** Returned for a file that is no document of its kind, or does not say whose it is. */
export const unknownOwner = "a file that this command did not write";

/** For documents in JSON: `otherOwner` gets the content of one that has this schema. */
export function documentOwner<Schema extends z.ZodType>(
  schema: Schema,
  otherOwner: (document: z.output<Schema>) => string | undefined,
): OwnershipCheck {
  return ({ json }) => {
    const parsed = schema.safeParse(json);
    return parsed.success ? otherOwner(parsed.data) : unknownOwner;
  };
}

/** The reports of large runs have a few MiB. */
const maxBytes = 16 * 1024 * 1024;

/** Why the file may not be replaced; undefined if it is missing, empty, or an earlier output. */
export async function reasonToKeep({ path, otherOwner }: OutputFile): Promise<string | undefined> {
  const existing = await existingFile(path);
  if (existing === undefined || typeof existing === "string") return existing;
  const owner = await otherOwner(existing);
  if (owner !== unknownOwner) return owner && `it is ${owner}`;
  // Loaded only for a file of others.
  const { describeFile } = await import("./describe-file.js");
  return `it is ${describeFile(existing) ?? owner}`;
}

/** False if it is missing or empty. */
export async function isEarlierOutput({ path, otherOwner }: OutputFile): Promise<boolean> {
  const existing = await existingFile(path);
  return typeof existing === "object" && (await otherOwner(existing)) === undefined;
}

/** Undefined if it is missing or empty; a sentence if it cannot be read. */
async function existingFile(path: string): Promise<ExistingFile | string | undefined> {
  try {
    const file = await readInputFile(path, maxBytes);
    const text = file?.bytes.toString("utf8") ?? "";
    return text.trim() === "" ? undefined : { text, json: parseJson(text) };
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Reads text-rules.yml: the phrases to avoid, the spelling of terms, and the lengths to keep. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

/** Where a word is. A quotation is a string with another product's text. */
export const places = ["docs", "comments", "strings", "quotations", "names"] as const;
export type Place = (typeof places)[number];

const phraseSchema = z.strictObject({
  /** A regular expression of whole words, without regard to case. */
  phrase: z.string(),
  instead: z.string(),
  in: z.array(z.enum(places)).default([...places]),
});

const ruleFileSchema = z.strictObject({
  files: z.array(z.string()),
  notYetSwept: z.array(z.string()),
  quotations: z.array(z.string()),
  sentences: z.strictObject({ words: z.int() }),
  /** Of documents, except for tables and code. */
  lines: z.strictObject({ columns: z.int() }),
  /** Of files that begin with a comment on what they are. */
  openings: z.strictObject({ characters: z.int(), files: z.array(z.string()) }),
  terms: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
  phrases: z.array(phraseSchema),
});

export type RuleFile = z.infer<typeof ruleFileSchema>;

export function readRuleFile(path: string): RuleFile {
  return ruleFileSchema.parse(parse(readFileSync(path, "utf8")));
}

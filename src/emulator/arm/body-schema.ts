/** Parts of the schemas of request bodies; a member that Azure does not have is refused by name. */
import { z } from "zod";
import type { ApiError } from "../core/service.js";
import { invalidRequestContent } from "./errors.js";

/**
 * An object whose members are all known. Read-only ones are dropped: clients that read, change and write send them back,
 * and Azure ignores them. Any other member is an error that names it.
 */
export function known<Shape extends z.ZodRawShape>(shape: Shape, readOnly: readonly string[] = []) {
  const dropReadOnly = (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key, held]) => !readOnly.includes(key) && held !== null)) : value;
  return z.preprocess(dropReadOnly, z.strictObject(shape));
}

/** An enumeration; Azure accepts its words in any case and answers them in its own. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  const inAzuresCase = (value: unknown): unknown =>
    typeof value === "string" ? (words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? value) : value;
  return z.preprocess(inAzuresCase, z.enum(words));
}

/** A reference to another resource. Clients may send the whole resource; only its ID counts. */
export const reference = z.looseObject({ id: z.string().startsWith("/subscriptions/") }).transform(({ id }) => ({ id }));

const networkName = (shortest: number, longest: number): RegExp =>
  new RegExp(`^(?=.{${String(shortest)},}$)[a-zA-Z0-9](?:[\\w.-]{0,${String(longest - 2)}}\\w)?$`);

/** The name of a part inside its resource: a frontend, a rule. */
export const partName = z.string().regex(networkName(1, 80));

/** The naming rule of Microsoft.Network, as a pattern and in words. */
export function networkNames(shortest: number, longest: number) {
  return {
    namePattern: networkName(shortest, longest),
    nameRule:
      `It must have ${String(shortest)} to ${String(longest)} letters, digits, '_', '.' or '-', ` +
      "begin with a letter or digit and end with a letter, digit or '_'.",
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `type` is the resource type in the refusal. @throws ApiError InvalidRequestContent */
export function readContent<T>(schema: z.ZodType<T>, sent: unknown, type: string): T {
  const read = schema.safeParse(sent);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : `Path '${issue.path.map(String).join(".")}'. `;
  if (issue?.code === "unrecognized_keys") throw unknownMember(type, issue.keys.join("', '"), at);
  throw invalidRequestContent(`${at}${issue?.message ?? "The body is invalid."}`);
}

export function unknownMember(type: string, members: string, at: string): ApiError {
  return invalidRequestContent(`Could not find member '${members}' on object of type '${type}'. ${at}`.trim());
}

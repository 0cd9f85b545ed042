/** Conditional headers, as the service applies them to reads and to writes of blobs. */
import { conditionNotMet, invalidHeaderValue, multipleConditions, unsatisfiableCondition } from "./errors.js";

type Headers = Readonly<Record<string, string>>;

interface Existing {
  readonly etag: string;
  readonly lastModifiedAt: string;
}

/** Whether a read sends the content. @throws ApiError 412 ConditionNotMet, 400 UnsatisfiableCondition */
export function checkRead(headers: Headers, blob: Existing): "send" | "not modified" {
  const noneMatch = etags(headers["if-none-match"]);
  const modifiedSince = time(headers, "if-modified-since");
  const unmodifiedSince = time(headers, "if-unmodified-since");
  const changedAt = Date.parse(blob.lastModifiedAt);
  if (noneMatch?.[0] === "*") throw unsatisfiableCondition();
  if (etags(headers["if-match"])?.some((etag) => matches(etag, blob)) === false) throw conditionNotMet();
  if (unmodifiedSince !== undefined && changedAt > unmodifiedSince) throw conditionNotMet();
  const differs = noneMatch && !noneMatch.some((etag) => matches(etag, blob));
  const newer = modifiedSince === undefined ? undefined : changedAt > modifiedSince;
  // Either of the two that is met is enough.
  return differs === true || newer === true || (differs === undefined && newer === undefined) ? "send" : "not modified";
}

/** `blob` is undefined if it does not exist. @throws ApiError 412 ConditionNotMet, 400 MultipleConditionHeadersNotSupported */
export function checkWrite(headers: Headers, blob: Existing | undefined): void {
  const match = etags(headers["if-match"]);
  const noneMatch = etags(headers["if-none-match"]);
  const modifiedSince = time(headers, "if-modified-since");
  const unmodifiedSince = time(headers, "if-unmodified-since");
  if ((match?.length ?? 0) > 1 || (noneMatch?.length ?? 0) > 1) throw multipleConditions();
  if (blob === undefined) {
    if (match !== undefined) throw conditionNotMet();
    return;
  }
  const changedAt = Date.parse(blob.lastModifiedAt);
  // The caller decides about "*": what it refuses differs from one operation to another.
  if (noneMatch?.[0] !== undefined && noneMatch[0] !== "*" && matches(noneMatch[0], blob)) throw conditionNotMet();
  if (match?.[0] !== undefined && !matches(match[0], blob)) throw conditionNotMet();
  if (noneMatch === undefined && modifiedSince !== undefined && changedAt <= modifiedSince) throw conditionNotMet();
  if (match === undefined && unmodifiedSince !== undefined && changedAt > unmodifiedSince) throw conditionNotMet();
}

/** Whether the write may only make a blob, not replace one. */
export function mustBeNew(headers: Headers): boolean {
  return headers["if-none-match"]?.trim() === "*";
}

function etags(header: string | undefined): string[] | undefined {
  return header
    ?.split(",")
    .map((etag) => etag.trim())
    .filter((etag) => etag !== "");
}

/** Clients send etags with and without their quotes. */
function matches(etag: string, blob: Existing): boolean {
  return etag === "*" || etag.replaceAll('"', "") === blob.etag.replaceAll('"', "");
}

function time(headers: Headers, name: string): number | undefined {
  const value = headers[name];
  if (value === undefined || value === "") return undefined;
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) throw invalidHeaderValue(name, value);
  return milliseconds;
}

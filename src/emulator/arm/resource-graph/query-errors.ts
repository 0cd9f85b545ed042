/** Resource Graph's refusals: a code with the reasons in `details`. */
import { ApiError, notImplemented, type Call } from "../../core/service.js";

/** Thrown while a query is read or evaluated, where no call is at hand. */
export class QueryError extends Error {
  readonly details: readonly Readonly<Record<string, unknown>>[];

  constructor(...details: readonly Readonly<Record<string, unknown>>[]) {
    super("the query is invalid");
    this.details = details;
  }
}

const invalidQuery = {
  code: "InvalidQuery",
  message: "Query is invalid. Please refer to the documentation for the Azure Resource Graph service and fix the error before retrying.",
};

/** A word that cannot stand where it does. The place counts lines from 1 and characters from 0, as Azure's parser does. */
export function parserFailure(token: string, before: string): QueryError {
  const lines = before.split("\n");
  const characterPositionInLine = lines.at(-1)?.length ?? 0;
  return new QueryError(invalidQuery, {
    code: "ParserFailure",
    message: "ParserFailure",
    line: lines.length,
    characterPositionInLine,
    token,
  });
}

export function unknownColumn(name: string): QueryError {
  return new QueryError(invalidQuery, { code: "SEM0100", message: `Failed to resolve column or scalar expression named '${name}'` });
}

export function unknownTable(name: string): QueryError {
  return new QueryError({ code: "DisallowedLogicalTableName", message: `Table ${name} is invalid, unsupported or disallowed.` });
}

/** What Azure's dialect has, and the emulator's has not. */
export function notInDialect(what: string): ApiError {
  return notImplemented(`${what} is not implemented by the emulator of Resource Graph.`);
}

export function graphError(call: Call, status: number, code: string, details: readonly unknown[]): ApiError {
  const support = `timestamp = ${new Date(call.now).toISOString()}, correlationId = ${call.uuid()}`;
  return new ApiError(status, code, `Please provide below info when asking for support: ${support}.`, { details: [...details] });
}

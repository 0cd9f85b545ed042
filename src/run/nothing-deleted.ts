/** What a refused destroy says in addition: it deleted nothing. */
import { toFailure } from "../azure/to-failure.js";
import { catalogue } from "../errors/catalogue.js";
import { exitCodes } from "../errors/exit-codes.js";

/** For an error before the first removal. Only a refusal raises the question. */
export function sayNothingDeleted(error: unknown): unknown {
  if (error instanceof AggregateError) return error;
  const failure = toFailure(error);
  return catalogue[failure.code].exit === exitCodes.refused ? failure.withMessage(`${failure.message}; nothing was deleted`) : failure;
}

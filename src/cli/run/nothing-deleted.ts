/** What a refused destroy says in addition: it deleted nothing. */
import { catalogue } from "../../errors/catalogue.js";
import { exitCodes } from "../../errors/exit-codes.js";
import { Failure } from "../../errors/failure.js";

/** For an error before the first removal. Only a refusal raises the question. */
export function sayNothingDeleted(error: unknown): unknown {
  if (!(error instanceof Failure) || catalogue[error.code].exit !== exitCodes.refused) return error;
  const { code, message, because, next, azure, problems, cause } = error;
  return new Failure(code, `${message}; nothing was deleted`, {
    ...(because !== undefined && { because }),
    ...(next && { next }),
    ...(azure && { azure }),
    problems,
    cause,
  });
}

/** The errors that make a step read and decide again. */
/**
 * The resource changed meanwhile (HTTP 412, or a superseded write), or it does not show what Azure reported. The message completes a title
 * for the user: "it was changed in the meantime".
 */
export class Stale extends Error {
  override readonly name: string = "Stale";
}

/**
 * Thrown when the response to a write that must not be sent twice was lost, or was a temporary error. The write may have taken effect, so the
 * engine reads and decides again.
 */
export class Uncertain extends Stale {
  override readonly name = "Uncertain";
}

/** Thrown when a write recovered a soft-deleted object in its previous state: the engine reads it and decides again. */
export class Recovered extends Stale {
  override readonly name = "Recovered";
}

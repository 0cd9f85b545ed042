/** Thrown when a resource changed after it was read (HTTP 412, or a superseded write): the engine reads and decides again. */
export class Stale extends Error {
  override readonly name: string = "Stale";
}

/**
 * Thrown instead of sending a write again that adds a version or replaces a list, when its response was lost or was a temporary error: the
 * write may have taken effect. The engine reads and decides again.
 */
export class Uncertain extends Stale {
  override readonly name = "Uncertain";
}

/** Thrown when a write recovered a soft-deleted object in its previous state: the engine reads it and decides again. */
export class Recovered extends Stale {
  override readonly name = "Recovered";
}

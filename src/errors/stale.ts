/** Thrown where what was read is no longer what is there (HTTP 412, or a write of ours superseded): the engine reads and decides again. */
export class Stale extends Error {
  override readonly name: string = "Stale";
}

/** Thrown where a write of ours brought back what had been deleted: it came back as it was, and what is to be done about that is decided anew. */
export class Recovered extends Stale {
  override readonly name = "Recovered";
}

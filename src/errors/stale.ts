/** Thrown where what was read is no longer what is there (HTTP 412, or a write of ours superseded): the engine reads and decides again. */
export class Stale extends Error {
  override readonly name = "Stale";
}

/** A document, or the reason why it cannot be read, for callers that report the reason with other problems. */
import { Failure } from "../errors/failure.js";
import { readDocument, type ReadDocument } from "./read.js";

export interface GivenDocument {
  readonly path: string;
  readonly read: { readonly document: ReadDocument } | { readonly failure: Failure };
}

/** Returns ARO-FILE-001 and 002 instead of throwing them. */
export async function givenDocument(path: string): Promise<GivenDocument> {
  try {
    return { path, read: { document: await readDocument(path) } };
  } catch (error) {
    if (error instanceof Failure) return { path, read: { failure: error } };
    throw error;
  }
}

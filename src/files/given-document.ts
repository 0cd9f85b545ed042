/** A document that was given, or why it cannot be read: for who tells of that among other things. */
import { Failure } from "../errors/failure.js";
import { readDocument, type ReadDocument } from "./read.js";

export interface GivenDocument {
  readonly path: string;
  readonly read: { readonly document: ReadDocument } | { readonly failure: Failure };
}

/** Never throws ARO-FILE-001 or 002, but keeps it. */
export async function givenDocument(path: string): Promise<GivenDocument> {
  try {
    return { path, read: { document: await readDocument(path) } };
  } catch (error) {
    if (error instanceof Failure) return { path, read: { failure: error } };
    throw error;
  }
}

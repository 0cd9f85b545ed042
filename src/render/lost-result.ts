/** Whether standard output took all that it was given: asked at the end, for an exit code that can be believed. Loads nothing. */

import type { TextStream } from "./screen.js";

/** Begins to watch standard output; what it returns tells the first error since, if there was one. */
export function watchResult(stdout: TextStream): () => NodeJS.ErrnoException | undefined {
  let lost: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has read enough is no loss.
    if (error.code !== "EPIPE") lost ??= error;
  });
  return () => lost;
}

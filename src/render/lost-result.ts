/** Detects whether all output was written to standard output, so that the exit code is reliable. Imports nothing at run time. */

import type { TextStream } from "./screen.js";

/** Starts to watch standard output; the returned function gives the first error since then, if any. */
export function watchResult(stdout: TextStream): () => NodeJS.ErrnoException | undefined {
  let lost: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early is not a loss.
    if (error.code !== "EPIPE") lost ??= error;
  });
  return () => lost;
}

/** Detects whether all output was written to standard output, so that the exit code is reliable. */
import { type OnError, surviveErrors, type TextStream } from "./text-stream.js";

/** Starts to watch standard output; the returned function ends that, and gives the first error since then, if any. */
export function watchResult(stdout: TextStream): () => NodeJS.ErrnoException | undefined {
  let lost: NodeJS.ErrnoException | undefined;
  const watchers = surviveErrors(stdout);
  const watcher: OnError = (error) => {
    // A reader that closes the pipe early is not a loss.
    if (error.code !== "EPIPE") lost ??= error;
  };
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    return lost;
  };
}

/** Detects whether all output was written to standard output, so that the exit code is reliable. Imports nothing at run time. */
import type { TextStream } from "./screen.js";

type OnError = (error: NodeJS.ErrnoException) => void;

/** Who else wants to know the errors of a stream that `surviveErrors` watches. */
const watchersOf = new WeakMap<TextStream, Set<OnError>>();

/**
 * An error of a stream without a listener ends the process. A stream has one listener from its first use on, because errors can arrive after a
 * command has ended, and however many commands the process runs.
 */
export function surviveErrors(stream: TextStream): Set<OnError> {
  const known = watchersOf.get(stream);
  if (known) return known;
  const watchers = new Set<OnError>();
  watchersOf.set(stream, watchers);
  stream.on("error", (error: NodeJS.ErrnoException) => {
    for (const watcher of watchers) watcher(error);
  });
  return watchers;
}

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

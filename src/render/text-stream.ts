/** An output stream, whose errors end neither the process nor the run. */

/** The used properties of a text stream such as standard error. */
export type TextStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

export type OnError = (error: NodeJS.ErrnoException) => void;

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

/** An output stream, whose errors end neither the process nor the run. */
import { Writable } from "node:stream";

/** The used properties of a text stream such as standard error. */
export type TextStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

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

/** Watches standard output, so that the exit code is reliable. The returned function ends that, and gives the first error since then, if any. */
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

/** For a command that runs inside of this process: its output. */
export function streamTo(receive: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      receive(chunk.toString());
      done();
    },
  });
}

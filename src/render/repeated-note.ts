/** Compares notes: two are the same wait if only the time until the next try differs. */

/** "Azure is throttling requests (TooManyRequests); retrying in 4 s" without its last part. */
function reasonOf(note: string): string {
  return note.replace(/; retrying in \d+ s$/, "");
}

/** Whether to show a note: a new reason at once, a known one after `everyMs`. `now` is in milliseconds. */
export function onceForEachReason(everyMs: number, now: () => number): (note: string) => boolean {
  const saidAt = new Map<string, number>();
  return (note) => {
    const reason = reasonOf(note);
    const last = saidAt.get(reason);
    if (last !== undefined && now() - last < everyMs) return false;
    saidAt.set(reason, now());
    return true;
  };
}

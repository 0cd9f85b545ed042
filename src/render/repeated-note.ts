/** Limits how often the reason of a wait is shown. */

/** Whether to show a reason: a new one at once, a known one after `everyMs`. `now` is in milliseconds. */
export function onceForEachReason(everyMs: number, now: () => number): (reason: string) => boolean {
  const shownAt = new Map<string, number>();
  return (reason) => {
    const last = shownAt.get(reason);
    if (last !== undefined && now() - last < everyMs) return false;
    shownAt.set(reason, now());
    return true;
  };
}

/** Durations as text. */

/** 0.4s, 41s, 2m05s, 1h02m: tenths only where they matter. */
export function duration(milliseconds: number): string {
  // 9.96 s is 10s, never 10.0s: the rounded value decides the form.
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`;
}

/** For a running counter: whole seconds, so that it changes once a second. */
export function runningDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1000);
}

/** Up to a time, in milliseconds, an estimate is rounded up to this. */
const grains = [
  { below: 10_000, grain: 1_000 },
  { below: 60_000, grain: 5_000 },
  { below: 600_000, grain: 10_000 },
] as const;

/** For an estimate: 6s, 45s, 1m10s, 12m00s. */
export function aboutDuration(milliseconds: number): string {
  const { grain } = grains.find(({ below }) => milliseconds < below) ?? { grain: 60_000 };
  return runningDuration(Math.max(1, Math.ceil(milliseconds / grain)) * grain);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Scales Retry-After to a faster clock. */

/**
 * Services give Retry-After in seconds of Azure's clock; clients wait by the real one. If less than a second remains, which the header
 * cannot express, only the millisecond forms are sent. The SDKs' retry policies read those first.
 */
export function scaleRetryAfter(headers: Readonly<Record<string, string>>, timeScale: number): Record<string, string> {
  const scaled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const seconds = Number(scaled["retry-after"] ?? "none");
  if (timeScale === 1 || Number.isNaN(seconds)) return scaled;
  const milliseconds = Math.ceil((seconds * 1000) / timeScale);
  if (milliseconds >= 1000) scaled["retry-after"] = String(Math.round(milliseconds / 1000));
  else delete scaled["retry-after"];
  return { ...scaled, "retry-after-ms": String(milliseconds), "x-ms-retry-after-ms": String(milliseconds) };
}

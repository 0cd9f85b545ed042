/** How often the Secrets Store CSI driver looks for new versions of the secrets that it mounted. */

/**
 * Undefined if it never does. Azure has both settings as text; two minutes is the default:
 * https://learn.microsoft.com/azure/aks/csi-secrets-store-configuration-options.
 */
export function rotationPollMs(enabled: string | undefined, interval = "2m"): number | undefined {
  return enabled?.toLowerCase() === "true" ? durationMs(interval) : undefined;
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Parses a duration in Go's format: "1h30m". */
function durationMs(text: string): number {
  return [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)].reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}

/** What every engine that runs a fleet needs: the commands of its pods or jobs, in their order. */

export interface FleetJobs {
  /** The name of the fleet, in names of objects. */
  readonly name: string;
  /** The text of the fleet file. */
  readonly fleet: string;
  /** The members that the clusters share: created once, before the shards. */
  readonly shared: readonly string[];
  readonly shards: number;
  readonly image: string;
  readonly runId: string;
}

/** Where pods have the file, and put what they write. */
export const mounts = { fleet: "/fleet", output: "/output" } as const;

/** `verb`: "create", "verify". `more`: further words as a shell reads them. */
export function commandLine(
  verb: string,
  { fleetFile, outputDir }: { readonly fleetFile: string; readonly outputDir: string },
  more: readonly string[],
): string {
  return ["aro-hcp", verb, "fleet", "--fleet-file", fleetFile, "--output-dir", outputDir, ...more].join(" ");
}

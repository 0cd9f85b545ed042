/** Measures how long `--help` and `--version` take, compared with an empty Node.js program. */
import { median } from "./bench-usage.js";
import { plainEnvironment, program, startNode } from "./cli-process.js";

export interface Starts {
  /** Medians of the wall time of the process, in milliseconds. */
  readonly node: number;
  readonly help: number;
  readonly version: number;
}

const kinds = { node: ["-e", "0"], help: [program, "--help"], version: [program, "--version"] } as const;

/** The three take turns, so that other load on the machine affects all of them. */
export async function measureStarts(home: string, rounds: number): Promise<Starts> {
  const times: Record<keyof typeof kinds, number[]> = { node: [], help: [], version: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [kind, args] of Object.entries(kinds)) {
      times[kind as keyof typeof kinds].push((await startNode(args, plainEnvironment(home)).ended).wallMs);
    }
  }
  return { node: median(times.node), help: median(times.help), version: median(times.version) };
}

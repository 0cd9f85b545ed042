/** How long `--help` and `--version` take to answer, against a Node that does nothing. */
import { median } from "./bench-usage.js";
import { plainEnvironment, program, startNode } from "./cli-process.js";

export interface Starts {
  /** Medians, in milliseconds from start to end of the process. */
  readonly node: number;
  readonly help: number;
  readonly version: number;
}

const kinds = { node: ["-e", "0"], help: [program, "--help"], version: [program, "--version"] } as const;

/** In turns, so that whatever else the machine does meets all three alike. */
export async function measureStarts(home: string, rounds: number): Promise<Starts> {
  const times: Record<keyof typeof kinds, number[]> = { node: [], help: [], version: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [kind, args] of Object.entries(kinds)) {
      times[kind as keyof typeof kinds].push((await startNode(args, plainEnvironment(home)).ended).wallMs);
    }
  }
  return { node: median(times.node), help: median(times.help), version: median(times.version) };
}

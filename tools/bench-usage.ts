/** What a run takes of the machine: its own account when it ends, the one way that is the same on every platform. */
import { readFileSync } from "node:fs";

export interface Usage {
  /** What the processor spent on the process, in itself and for it in the kernel. */
  readonly processorMs: number;
  readonly peakMemoryMiB: number;
}

/** Adds what has a Node process write its usage to `file` when it ends. */
export function reportingUsage(environment: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  return { ...environment, NODE_OPTIONS: reportUsage, USAGE_FILE: file };
}

export function readUsage(file: string): Usage {
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(file, "utf8")) as NodeJS.ResourceUsage;
  // The unit of resourceUsage is KiB on every platform.
  return { processorMs: (userCPUTime + systemCPUTime) / 1000, peakMemoryMiB: maxRSS / 1024 };
}

const reportUsage = `--import=data:text/javascript,${encodeURIComponent(
  `import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));`,
)}`;

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

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
  const { usage, status } = JSON.parse(readFileSync(file, "utf8")) as { readonly usage: NodeJS.ResourceUsage; readonly status: string };
  const { maxRSS, userCPUTime, systemCPUTime } = usage;
  // Linux counts into maxRSS what the parent had when it started the process; the peak of the process's own memory is in its status. Both in KiB.
  const [, own] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? [];
  return { processorMs: (userCPUTime + systemCPUTime) / 1000, peakMemoryMiB: Number(own ?? maxRSS) / 1024 };
}

const report = `import { existsSync, readFileSync, writeFileSync } from "node:fs";
process.on("exit", () => {
  const usage = process.resourceUsage();
  const file = "/proc/self/status";
  const status = existsSync(file) ? readFileSync(file, "utf8") : "";
  writeFileSync(process.env.USAGE_FILE, JSON.stringify({ usage, status }));
});`;
const reportUsage = `--import=data:text/javascript,${encodeURIComponent(report)}`;

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Measures the CPU time and memory of a run. The process reports them itself when it exits, which works the same on every platform. */
import { readFileSync } from "node:fs";

export interface Usage {
  /** User and system CPU time. */
  readonly processorMs: number;
  readonly peakMemoryMiB: number;
}

/** Adds the variable that makes a Node.js process write its usage to `file` when it exits. */
export function reportingUsage(environment: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  return { ...environment, NODE_OPTIONS: reportUsage, USAGE_FILE: file };
}

export function readUsage(file: string): Usage {
  const { usage, status } = JSON.parse(readFileSync(file, "utf8")) as { readonly usage: NodeJS.ResourceUsage; readonly status: string };
  const { maxRSS, userCPUTime, systemCPUTime } = usage;
  // On Linux, maxRSS includes the memory of the parent at the time of the fork. The status file has the peak of the process itself. Both are in KiB.
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

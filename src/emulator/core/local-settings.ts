/** The `ARO_HCP_LOCAL_*` variables that a server or its client reads. */
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { FaultRule } from "./fault-rules.js";
import { EmulatorInputError } from "../common/emulator-error.js";
import type { Latency } from "../state/sampling.js";

export interface LocalSettings {
  readonly latency: Latency;
  /** How many seconds of Azure's clock pass in a real second. */
  readonly timeScale: number;
  /** The file that all traffic is appended to. */
  readonly record: string | undefined;
  readonly faults: readonly FaultRule[];
}

export const settingVariables = [
  "ARO_HCP_LOCAL_LATENCY",
  "ARO_HCP_LOCAL_TIME_SCALE",
  "ARO_HCP_LOCAL_RECORD",
  "ARO_HCP_LOCAL_FAULTS",
] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

const fastest = 100_000;
const longestLimit = 100_000;
/** Rules contain whole answers. */
const mostFaultBytes = 16 * 1024 * 1024;

/** An empty variable counts as absent. @throws EmulatorInputError that names the variable and its valid values. */
export async function readLocalSettings(environment: Environment): Promise<LocalSettings> {
  const [latency, timeScale, record, faults] = settingVariables.map((variable) => environment[variable] || undefined);
  return {
    latency: parseLatency(latency ?? "none"),
    timeScale: parseTimeScale(timeScale ?? "1"),
    record: record === undefined ? undefined : writable(record),
    faults: faults === undefined ? [] : await readFaults(faults),
  };
}

/**
 * `ARO_HCP_LOCAL_RESPONSE_LIMIT`, in milliseconds: how long this program waits for a response, for tests of connections that hang.
 * @throws EmulatorInputError
 */
export function responseLimit(environment: Environment): number | undefined {
  const value = environment["ARO_HCP_LOCAL_RESPONSE_LIMIT"] || undefined;
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds > 0 && seconds <= longestLimit) return seconds * 1000;
  throw new EmulatorInputError(
    `ARO_HCP_LOCAL_RESPONSE_LIMIT is "${value}"; it must be a number of seconds greater than 0 and at most ${longestLimit}`,
  );
}

function parseLatency(value: string): Latency {
  if (value === "none" || value === "recorded") return value;
  throw new EmulatorInputError(`ARO_HCP_LOCAL_LATENCY is "${value}"; it must be none or recorded`);
}

function parseTimeScale(value: string): number {
  const scale = Number(value);
  if (scale > 0 && scale <= fastest) return scale;
  throw new EmulatorInputError(`ARO_HCP_LOCAL_TIME_SCALE is "${value}"; it must be a number greater than 0 and at most ${fastest}`);
}

/** The file need not exist. Checked here because otherwise the first request would be the first to fail. */
function writable(file: string): string {
  requireRegular("ARO_HCP_LOCAL_RECORD", file);
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
    return file;
  } catch (error) {
    throw new EmulatorInputError(`ARO_HCP_LOCAL_RECORD: cannot write ${file}`, { cause: error });
  }
}

async function readFaults(file: string): Promise<FaultRule[]> {
  const { parseFaultRules } = await import("./fault-rules.js");
  const bytes = requireRegular("ARO_HCP_LOCAL_FAULTS", file);
  if (bytes > mostFaultBytes) throw new EmulatorInputError(`ARO_HCP_LOCAL_FAULTS: ${file} is larger than ${mostFaultBytes} bytes`);
  try {
    return parseFaultRules(readFileSync(file, "utf8"));
  } catch (error) {
    throw new EmulatorInputError(`ARO_HCP_LOCAL_FAULTS: ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Returns its size; 0 if it cannot be found. A pipe may never have a reader or a writer, and nothing else could run until it has. */
function requireRegular(variable: string, file: string): number {
  if (!existsSync(file)) return 0;
  const stats = statSync(file);
  if (!stats.isFile()) throw new EmulatorInputError(`${variable}: ${file} is not a regular file`);
  return stats.size;
}

/** One measured run of the command line against an embedded Azure in a process of its own, so that what is measured is the client alone. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { pictureOfWorld } from "../src/embedded-azure/index.js";
import { plainEnvironment, program, runWell } from "./cli-process.js";

export interface Measured {
  /** From start to end of the process. */
  readonly wallMs: number;
  /** From the first step to the last, by the command's own account. */
  readonly stepsMs: number;
  /** The longest chain of operations along the graph, in seconds by Azure's own account. */
  readonly operationSeconds: number;
  /** GETs, but for polls of operations. */
  readonly reads: number;
  /** The most often that one thing was read. */
  readonly mostReads: number;
  readonly polls: number;
  readonly writes: number;
  readonly tokens: number;
  /** Steps or removals. */
  readonly steps: number;
  readonly peakMemoryMiB: number;
}

export interface ServedWorld {
  measure(args: readonly string[]): Promise<Measured>;
  close(): Promise<void>;
}

/** The part of the result document that is measured. */
interface ResultDocument {
  readonly elapsedMs: number;
  readonly steps: readonly { readonly id: string; readonly resourceId?: string; readonly needs: readonly string[] }[];
}

/** Serves the world in `directory` on recorded latencies, `scale` times faster than they are. */
export async function serveWorld(directory: string, world: string, scale: number): Promise<ServedWorld> {
  const record = path.join(directory, "traffic.ndjson");
  const peakFile = path.join(directory, "peak");
  const client = { ...plainEnvironment(directory), ARO_HCP_LOCAL_DIR: world };
  const server = spawn(process.execPath, [program, "local", "serve"], {
    env: {
      ...client,
      ARO_HCP_LOCAL_LATENCY: "recorded",
      ARO_HCP_LOCAL_TIME_SCALE: String(scale),
      ARO_HCP_LOCAL_RECORD: record,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "close").then(() => Promise.reject(new Error("local serve ended before it was ready")));
  await Promise.race([once(createInterface(server.stdout), "line"), ended]);

  const requests = (): string[] => (existsSync(record) ? readFileSync(record, "utf8").trimEnd().split("\n") : []);
  const ledger = async () => (await pictureOfWorld(world, { ledger: true })).ledger ?? [];
  return {
    async measure(args) {
      const [requestsBefore, ledgerBefore] = [requests().length, (await ledger()).length];
      const run = await runWell([...args, "--output", "json"], { ...client, NODE_OPTIONS: tellPeak, PEAK_FILE: peakFile });
      const { elapsedMs, steps } = JSON.parse(run.stdout) as ResultDocument;
      return {
        wallMs: run.wallMs,
        stepsMs: elapsedMs,
        operationSeconds: longestChain(steps, (await ledger()).slice(ledgerBefore)),
        ...count(requests().slice(requestsBefore)),
        steps: steps.length,
        // The unit of resourceUsage is KiB on every platform.
        peakMemoryMiB: Number(readFileSync(peakFile, "utf8")) / 1024,
      };
    },
    async close() {
      server.kill("SIGTERM");
      await once(server, "close");
    },
  };
}

/** Has a Node process write its peak resident memory when it ends: the one way that is the same on every platform. */
const tellPeak = `--import=data:text/javascript,${encodeURIComponent(
  `import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`,
)}`;

/** Over the graph of needs; what is in no ledger took Azure no operation. */
function longestChain(steps: ResultDocument["steps"], ledger: readonly { readonly resource: string; readonly seconds: number }[]): number {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const chains = new Map<string, number>();
  const own = (resourceId: string | undefined): number =>
    ledger.filter(({ resource }) => resource.toLowerCase() === resourceId?.toLowerCase()).reduce((sum, { seconds }) => sum + seconds, 0);
  const chainTo = (id: string): number => {
    const known = chains.get(id);
    if (known !== undefined) return known;
    const step = byId.get(id);
    const length = own(step?.resourceId) + Math.max(0, ...(step?.needs ?? []).map(chainTo));
    chains.set(id, length);
    return length;
  };
  return Math.max(0, ...steps.map(({ id }) => chainTo(id)));
}

function count(lines: readonly string[]): Pick<Measured, "reads" | "mostReads" | "polls" | "writes" | "tokens"> {
  const requests = lines.map((line) => JSON.parse(line) as { readonly method: string; readonly url: string });
  const isToken = ({ url }: { url: string }): boolean => url.includes("/oauth2/");
  const isPoll = ({ url }: { url: string }): boolean => /operation(s|results|statuses)\//i.test(url);
  const asked = requests.filter((request) => !isToken(request));
  const reads = asked.filter((request) => request.method === "GET" && !isPoll(request));
  const timesRead = new Map<string, number>();
  for (const { url } of reads) timesRead.set(url, (timesRead.get(url) ?? 0) + 1);
  return {
    reads: reads.length,
    mostReads: Math.max(0, ...timesRead.values()),
    polls: asked.filter((request) => request.method === "GET" && isPoll(request)).length,
    writes: asked.filter(({ method }) => method !== "GET" && method !== "HEAD").length,
    tokens: requests.filter(isToken).length,
  };
}

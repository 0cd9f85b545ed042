/** Measures CPU time and memory of three commands, with the emulator in the same process and in another, and compares them with an earlier build. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { median, readUsage, reportingUsage, type Usage } from "./bench-usage.js";
import { plainEnvironment, program, startNode } from "./cli-process.js";
import { demoSeed, infraFlags, writeDemoFiles } from "./demo-cluster.js";

const modes = ["emulator in the process", "served emulator"] as const;
const commands = ["show infra", "create infra --dry-run", "create infra"] as const;

export interface CommandUsage extends Usage {
  readonly mode: (typeof modes)[number];
  readonly command: (typeof commands)[number];
  /** Usage of the earlier build, if there is one. */
  readonly baseline: Usage | undefined;
}

/** Returns medians. `baseline` is the folder of an earlier build. The builds take turns, so that other load on the machine affects both. */
export async function measureUsage(directory: string, rounds: number, baseline: string | undefined): Promise<CommandUsage[]> {
  const builds = [process.cwd(), ...(baseline === undefined ? [] : [baseline])];
  const usages: CommandUsage[] = [];
  for (const mode of modes) {
    const sites = await Promise.all(
      builds.map((build, index) => prepare(path.join(directory, `${mode}-${String(index)}`.replaceAll(" ", "-")), build, mode)),
    );
    try {
      for (const command of commands) {
        const measured: Usage[][] = sites.map(() => []);
        for (let round = 0; round < rounds; round++) {
          for (const [index, site] of sites.entries()) measured[index]?.push(await site.measure(command));
        }
        const [own, other] = measured.map(middle);
        if (own !== undefined) usages.push({ mode, command, ...own, baseline: other });
      }
    } finally {
      for (const site of sites) await site.close();
    }
  }
  return usages;
}

function middle(usages: readonly Usage[]): Usage {
  return {
    processorMs: median(usages.map(({ processorMs }) => processorMs)),
    peakMemoryMiB: median(usages.map(({ peakMemoryMiB }) => peakMemoryMiB)),
  };
}

/** One build with its own state. The cluster does not exist when a command starts. */
async function prepare(directory: string, build: string, mode: CommandUsage["mode"]) {
  mkdirSync(directory, { recursive: true });
  const files = writeDemoFiles(directory);
  const seed = path.join(directory, "seed.json");
  writeFileSync(seed, JSON.stringify(demoSeed()));
  const environment = { ...plainEnvironment(directory), ARO_HCP_LOCAL_DIR: path.join(directory, "azure") };
  const usageFile = path.join(directory, "usage.json");
  const cli = path.join(build, program);
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv = environment) => {
    const { code, stderr } = await startNode([cli, ...args], env).ended;
    if (code !== 0) throw new Error(`${cli} ${args.join(" ")} exited with ${String(code)}\n${stderr}`);
  };
  await run(["local", "seed", seed]);
  const server =
    mode === "served emulator"
      ? spawn(process.execPath, [cli, "local", "serve"], { env: environment, stdio: ["ignore", "pipe", "inherit"] })
      : undefined;
  if (server !== undefined) await once(createInterface(server.stdout), "line");
  return {
    async measure(command: CommandUsage["command"]): Promise<Usage> {
      const writes = command === "create infra";
      await run([...command.split(" "), ...infraFlags(files), ...(writes ? ["--yes"] : [])], reportingUsage(environment, usageFile));
      if (writes) {
        await run(["local", "reset"]);
        await run(["local", "seed", seed]);
      }
      return readUsage(usageFile);
    },
    async close() {
      server?.kill("SIGTERM");
      if (server !== undefined) await once(server, "close");
    },
  };
}

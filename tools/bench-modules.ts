/** Lists the source files that one `create infra` loads: the chunks that Node.js loaded, and their contents by the build record. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { readRecord } from "./bundle/build.js";
import { plainEnvironment, program, runOrThrow } from "./cli-process.js";
import { seedState } from "../src/emulator/index.js";
import { demoSeed, infraFlags, writeDemoFiles } from "./demo-cluster.js";

export interface LoadedModules {
  readonly chunks: number;
  readonly bytes: number;
  /** Number of files by folder of src, and by package. */
  readonly byPlace: ReadonlyMap<string, number>;
}

/** The emulator runs in another process, as Azure does, so the command should load none of it. */
export async function loadedModules(directory: string): Promise<LoadedModules> {
  mkdirSync(directory, { recursive: true });
  const files = writeDemoFiles(directory);
  const state = path.join(directory, "azure");
  const environment = { ...plainEnvironment(directory), ARO_HCP_LOCAL_DIR: state };
  await seedState(state, demoSeed());
  const server = spawn(process.execPath, [program, "local", "serve"], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  await once(createInterface(server.stdout), "line");
  try {
    const list = path.join(directory, "loaded.txt");
    await runOrThrow(["create", "infra", ...infraFlags(files), "--yes"], { ...environment, NODE_OPTIONS: reportLoads, LOADS_FILE: list });
    return modulesOf(readFileSync(list, "utf8").split("\n"));
  } finally {
    server.kill("SIGTERM");
    await once(server, "close");
  }
}

function modulesOf(files: readonly string[]): LoadedModules {
  const chunks = files.filter((file) => file.includes("/dist/")).map((file) => path.basename(file));
  const record = readRecord();
  const modules = chunks.flatMap((chunk) => record?.chunks[chunk] ?? []);
  const byPlace = new Map<string, number>();
  for (const place of modules.map(placeOf)) byPlace.set(place, (byPlace.get(place) ?? 0) + 1);
  const bytes = chunks.reduce((sum, chunk) => sum + readFileSync(path.join("dist", chunk)).length, 0);
  return { chunks: chunks.length, bytes, byPlace };
}

/** `src/azure`, or the name of the package. */
function placeOf(file: string): string {
  const [, name] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return name ?? file.split("/").slice(0, 2).join("/");
}

/** Makes Node.js write the paths of the modules that it has loaded to a file when it exits. */
const onExit = `import { writeFileSync } from "node:fs";
import Module from "node:module";
process.on("exit", () => writeFileSync(process.env.LOADS_FILE, Object.keys(Module._cache).join("\\n")));`;
const reportLoads = `--import=data:text/javascript,${encodeURIComponent(onExit)}`;

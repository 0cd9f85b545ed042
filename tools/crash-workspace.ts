/** A room of the crash test: one world, its output directory, and everything that is done to them. */
import { cp, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { plainEnvironment, runCli, type CliResult } from "./cli-process.js";
import { snapshotOfWorkspace, privateKeyFile, type WorkspaceSnapshot } from "./crash-snapshot.js";
import type { CrashCommand, CrashPoint } from "./crash-points.js";
import { clusterFlags, infraFlags, setFlags, wholeFlags, type DemoFiles } from "./demo-cluster.js";

export interface Workspace {
  readonly directory: string;
  readonly state: string;
  readonly output: string;
  /** `also` is added to the environment. */
  run(command: CrashCommand, also?: NodeJS.ProcessEnv): Promise<CliResult>;
  runAndKill(point: CrashPoint): Promise<CliResult>;
  snapshot(): Promise<WorkspaceSnapshot>;
  /** The signing key; undefined where there is none. */
  privateKey(): Promise<string | undefined>;
  /** Documents in the output directory that are not whole, a line each. */
  torn(): Promise<string[]>;
  /** Makes all files old: what a killed run was at is then known to be abandoned. */
  age(): Promise<void>;
}

/** What the rooms of one test share. */
export interface CrashSetting {
  readonly files: DemoFiles;
  /** Runs a command that is not killed: a process of its own, unless a test runs it in its own. */
  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CliResult>;
}

/** In a directory that is made where there is none. */
export async function openWorkspace(directory: string, setting: CrashSetting): Promise<Workspace> {
  const state = path.join(directory, "azure");
  const output = path.join(directory, "output");
  await mkdir(output, { recursive: true });
  const traffic = process.env["ARO_HCP_TEST_RECORD"];
  const environment = {
    ...plainEnvironment(directory),
    ARO_HCP_LOCAL_DIR: state,
    ...(traffic !== undefined && { ARO_HCP_LOCAL_RECORD: path.join(traffic, "crash.ndjson") }),
  };
  const argsOf = (command: CrashCommand) => [...command.split(" "), ...flagsOf[command](setting.files, output), "--yes"];
  return {
    directory,
    state,
    output,
    run: (command, also = {}) => setting.run(argsOf(command), { ...environment, ...also }),
    async runAndKill({ command, request, when }) {
      const faults = path.join(directory, "faults.json");
      await writeFile(faults, JSON.stringify([{ request, when, kill: true }]));
      return runCli(argsOf(command), { ...environment, ARO_HCP_LOCAL_FAULTS: faults });
    },
    snapshot: () => snapshotOfWorkspace(state, output),
    privateKey: () => readFile(path.join(output, privateKeyFile), "utf8").catch(() => undefined),
    async torn() {
      const documents = (await readdir(output)).filter((name) => /^(jwks|openid-configuration|[a-z-]+\.json)$/.test(name));
      const problems = documents.map(async (name) => {
        try {
          JSON.parse(await readFile(path.join(output, name), "utf8"));
          return [];
        } catch (error) {
          return [`${name} is torn after the kill: ${String(error)}`];
        }
      });
      return (await Promise.all(problems)).flat();
    },
    async age() {
      await Promise.all((await readdir(output)).map((name) => utimes(path.join(output, name), 0, 0)));
    },
  };
}

/** A room of its own with the same in it. */
export async function copyWorkspace(from: string, directory: string, setting: CrashSetting): Promise<Workspace> {
  await cp(path.join(from, "azure"), path.join(directory, "azure"), { recursive: true });
  await cp(path.join(from, "output"), path.join(directory, "output"), { recursive: true });
  return openWorkspace(directory, setting);
}

/** A rotation is carried to its end: the old keys are taken back in the same run. */
const flagsOf: Readonly<Record<CrashCommand, (files: DemoFiles, output: string) => readonly string[]>> = {
  "create infra": (files, output) => [...infraFlags(files), "--output-file", path.join(output, "infra.json")],
  "destroy infra": () => clusterFlags,
  "create all": (_files, output) => [...wholeFlags, "--output-dir", output],
  "rotate credentials": () => [...setFlags, "--overlap", "1s"],
  "destroy all": () => [...clusterFlags, "--purge"],
};

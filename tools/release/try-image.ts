/** Runs what is in an image, as far as that is possible without a container runtime: in namespaces and a root of its own, as the image's user. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { clusterFlags, wholeFlags } from "../demo-cluster.js";
import { run } from "./run.js";

interface Config {
  readonly config: {
    readonly Env: readonly string[];
    readonly User: string;
    readonly Entrypoint: readonly string[];
    readonly WorkingDir: string;
  };
}

/** The life of a cluster on the emulator with the entry point, and the script of the Tekton task. @throws Error if a command fails */
export async function tryImage(crane: string, image: string, folder: string): Promise<void> {
  mkdirSync(folder);
  await run("sh", ["-c", '"$0" export "$1" - | tar --extract --same-owner --directory "$2"', crane, image, folder]);
  const { config } = JSON.parse(await run(crane, ["config", image])) as Config;
  mkdirSync(path.join(folder, "tmp/source"), { recursive: true });
  for (const each of ["deploy.sh", "cluster.yaml"]) copyFileSync(path.join("examples", each), path.join(folder, "tmp/source", each));
  const start = async (directory: string, ...command: readonly string[]): Promise<string> => {
    const namespaces = [
      "--mount",
      "--pid",
      "--uts",
      "--ipc",
      "--net",
      "--fork",
      "--kill-child",
      `--mount-proc=${path.join(folder, "proc")}`,
    ];
    const inside = ["/usr/bin/env", "-i", `--chdir=${directory}`, ...config.Env, "ARO_HCP_CLOUD=local", ...command];
    return run("unshare", [...namespaces, "chroot", `--userspec=${config.User}`, folder, ...inside]);
  };
  const entry = (...args: readonly string[]): Promise<string> => start(config.WorkingDir, ...config.Entrypoint, ...args);
  await entry("create", "all", ...wholeFlags, "--output-dir", "demo", "--yes");
  await entry("verify", "all", "--cloud", "local", "--input-dir", "demo");
  await entry("destroy", "all", ...clusterFlags, "--purge", "--yes");
  const planned = await start("/tmp/source", "ACTION=plan", "OUTPUT_DIR=/tmp/out", "/usr/bin/bash", "-c", taskScript());
  if (!planned.includes("changes: review the plan above")) throw new Error(`the task's plan printed\n${planned}`);
}

function taskScript(): string {
  const [, task] = parseAllDocuments(readFileSync("examples/tekton.yaml", "utf8"));
  return (task?.toJS() as { spec: { steps: readonly [{ script: string }] } }).spec.steps[0].script;
}

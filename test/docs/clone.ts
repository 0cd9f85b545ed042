/** A clone of the repository for a reader of the docs, who pastes its commands into a shell. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { onTestFinished } from "vitest";
import { plainEnvironment } from "../../tools/cli-process.js";
import { pack, servePackage } from "../../tools/packed/registry.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { serveCommands } from "./command-server.js";

const root = path.resolve(import.meta.dirname, "../..");

/** What a clone does not have, or what commands of the docs write there. */
const ours = new Set([".git", ".build", "coverage", "demo", "quickstart"]);

/**
 * `npm ci` was run before the tests, and writes outside of the clone; `npm link` would write to the computer's own folder. `npm install` finds only
 * what `withRegistry` serves.
 */
const npm = (bin: string, program: string, realPath: string): string => `#!/bin/sh
case "$1" in
  ci) ;;
  link) test -f bin/aro-hcp.js && ln -sf '${program}' '${bin}/aro-hcp' ;;
  *) PATH='${realPath}' exec npm "$@" ;;
esac
`;

export interface Ran {
  readonly code: number | null;
  /** Both streams. */
  readonly output: string;
}

export interface Clone {
  readonly azure: TestEmulator;
  readonly directory: string;
  /** Whether `aro-hcp` is on the path: `npm link` puts it there too. */
  link(): void;
  /** Runs a script of bash in the clone. */
  run(script: string, variables?: Readonly<Record<string, string>>): Promise<Ran>;
  read(file: string): string;
}

/**
 * Commands run against an emulator of its own, and confirm without a terminal. With `processes`, each runs the built program in a process. With
 * `withRegistry`, npm installs the packed package as if it had been published.
 */
export async function cloneOfRepository({ processes = false, withRegistry = false } = {}): Promise<Clone> {
  const azure = await testEmulator();
  const [directory, bin] = [azure.path("aro-hcp"), azure.path("bin")];
  await mkdir(directory);
  mkdirSync(bin);
  for (const name of readdirSync(root).filter((each) => !ours.has(each))) symlinkSync(path.join(root, name), path.join(directory, name));
  const inherited = plainEnvironment(azure.path("home"));
  mkdirSync(azure.path("home"));
  const realPath = inherited["PATH"] ?? "";
  const built = path.join(root, "bin", "aro-hcp.js");
  const program = processes ? built : await serveCommands(azure.path("commands"), built);
  writeFileSync(path.join(bin, "npm"), npm(bin, program, realPath), { mode: 0o755 });
  const environment = {
    ...inherited,
    ...(withRegistry ? await packageRegistry(azure.path("packed")) : { npm_config_registry: "http://127.0.0.1:9" }),
    PATH: `${bin}:${azure.path("prefix/bin")}:${realPath}`,
    npm_config_prefix: azure.path("prefix"),
    TMPDIR: azure.path("home"),
    ARO_HCP_CLOUD: "local",
    ARO_HCP_LOCAL_DIR: azure.directory,
    ARO_HCP_YES: "true",
  };
  return {
    azure,
    directory,
    link: () => {
      symlinkSync(program, path.join(bin, "aro-hcp"));
    },
    async run(script, variables = {}) {
      // A group of its own, so that what the script leaves in the background ends with the test.
      const child = spawn("bash", ["-c", script], {
        cwd: directory,
        env: { ...environment, ...variables },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      onTestFinished(() => endGroup(child.pid));
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      const [code] = (await once(child, "exit")) as [number | null];
      return { code, output };
    },
    read: (file) => readFileSync(path.join(directory, file), "utf8"),
  };
}

async function packageRegistry(folder: string): Promise<Readonly<Record<string, string>>> {
  mkdirSync(folder);
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { name: string; version: string };
  const registry = await servePackage(pack(folder, root).tarball, manifest);
  onTestFinished(registry.close);
  return registry.variables;
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing was left.
  }
}

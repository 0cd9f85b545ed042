/** A workspace of the crash test: an emulator's state, an output directory, and the operations on them. */
import { copyFile, cp, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { plainEnvironment, runCli, type CliResult } from "./cli-process.js";
import { snapshotOfWorkspace, privateKeyFileIn, type WorkspaceSnapshot } from "./crash-snapshot.js";
import type { CrashCommand, CrashPoint } from "./crash-points.js";
import {
  arcExtensionFlags,
  arcFlags,
  clusterFlags,
  createIamFlags,
  createManagementFlags,
  createServiceFlags,
  createZoneFlags,
  egressFlags,
  hsmFlags,
  iamFlags,
  infraFlags,
  managementFlags,
  serviceFlags,
  setFlags,
  wholeFlags,
  zoneFlags,
  type DemoFiles,
  type EgressChoice,
} from "./demo-cluster.js";

export interface Workspace {
  readonly directory: string;
  readonly state: string;
  readonly output: string;
  /** Adds `also` to the environment. */
  run(command: CrashCommand, also?: NodeJS.ProcessEnv): Promise<CliResult>;
  runAndKill(point: CrashPoint): Promise<CliResult>;
  snapshot(): Promise<WorkspaceSnapshot>;
  /** The signing key or the onboarding key; undefined if there is none. */
  privateKey(): Promise<string | undefined>;
  /** Copies the private key into the output directory of another workspace, if there is one. */
  copyPrivateKey(to: string): Promise<void>;
  removePrivateKey(): Promise<void>;
  /** One line for each document in the output directory that is not valid JSON. */
  corrupt(): Promise<string[]>;
  /** Makes all files old, so that the next run treats the files of the killed run as abandoned. */
  age(): Promise<void>;
}

/** What the workspaces of one test share. */
export interface CrashSetting {
  readonly files: DemoFiles;
  /** Variables of all commands. */
  readonly environment: NodeJS.ProcessEnv;
  /** Runs a command that is not killed. A test can run it in its own process. */
  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CliResult>;
}

/** Creates the directory if it does not exist. */
export async function openWorkspace(directory: string, setting: CrashSetting): Promise<Workspace> {
  const state = path.join(directory, "azure");
  const output = path.join(directory, "output");
  await mkdir(output, { recursive: true });
  const traffic = process.env["ARO_HCP_TEST_RECORD"];
  const environment = {
    ...plainEnvironment(directory),
    ...setting.environment,
    ARO_HCP_LOCAL_DIR: state,
    ...(traffic !== undefined && { ARO_HCP_LOCAL_RECORD: path.join(traffic, "crash.ndjson") }),
  };
  const argsOf = (command: CrashCommand) => [...command.split(" ").slice(0, 2), ...flagsOf[command](setting.files, output), "--yes"];
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
    async privateKey() {
      const file = await privateKeyFileIn(output);
      return file && readFile(path.join(output, file), "utf8");
    },
    async copyPrivateKey(to) {
      const file = await privateKeyFileIn(output);
      if (file !== undefined) await copyFile(path.join(output, file), path.join(to, "output", file));
    },
    async removePrivateKey() {
      const file = await privateKeyFileIn(output);
      if (file !== undefined) await rm(path.join(output, file));
    },
    async corrupt() {
      const documents = (await readdir(output)).filter((name) => /^(jwks|openid-configuration|[a-z-]+\.json)$/.test(name));
      const problems = documents.map(async (name) => {
        try {
          JSON.parse(await readFile(path.join(output, name), "utf8"));
          return [];
        } catch (error) {
          return [`${name} is corrupt after the kill: ${String(error)}`];
        }
      });
      return (await Promise.all(problems)).flat();
    },
    async age() {
      await Promise.all((await readdir(output)).map((name) => utimes(path.join(output, name), 0, 0)));
    },
  };
}

/** Copies a workspace. */
export async function copyWorkspace(from: string, directory: string, setting: CrashSetting): Promise<Workspace> {
  await cp(path.join(from, "azure"), path.join(directory, "azure"), { recursive: true });
  await cp(path.join(from, "output"), path.join(directory, "output"), { recursive: true });
  return openWorkspace(directory, setting);
}

type Flags = (files: DemoFiles, output: string) => readonly string[];

const infraWith =
  (choice: EgressChoice): Flags =>
  (_files, output) => [...wholeFlags, ...egressFlags[choice], "--output-file", path.join(output, "infra.json")];

/** With an overlap of 1 s, the same run of a rotation also removes the old keys. */
const flagsOf: Readonly<Record<CrashCommand, Flags>> = {
  "create infra": (files, output) => [...infraFlags(files), "--output-file", path.join(output, "infra.json")],
  "destroy infra": () => clusterFlags,
  "create infra with nat-gateway": infraWith("nat-gateway"),
  "create infra with addresses": infraWith("addresses"),
  "create infra with prefix": infraWith("prefix"),
  "create infra with existing-gateway": infraWith("existing-gateway"),
  "create infra with routing": infraWith("routing"),
  "destroy infra with routing": () => clusterFlags,
  "create all": (_files, output) => [...wholeFlags, "--enable-kms", "--output-dir", output],
  "rotate credentials": () => [...setFlags, "--overlap", "1s"],
  "rotate encryption-key": (_files, output) => [...setFlags, "--output-file", path.join(output, "encryption-key.json")],
  "destroy encryption-key": () => setFlags,
  "create encryption-key": (_files, output) => [...setFlags, "--output-file", path.join(output, "encryption-key.json")],
  "destroy all": () => [...clusterFlags, "--purge"],
  "create identities": () => [...setFlags, "--oidc-issuer-url", "https://issuer.example.com/demo", "--enable-kms"],
  "destroy identities": () => [...setFlags, "--purge"],
  "destroy identities with hsm": () => [...setFlags, "--purge"],
  "create all with hsm": (_files, output) => [...wholeFlags, "--enable-kms", ...hsmFlags, "--output-dir", output],
  "rotate encryption-key with hsm": (_files, output) => [
    ...setFlags,
    ...hsmFlags,
    "--output-file",
    path.join(output, "encryption-key.json"),
  ],
  "destroy encryption-key with hsm": () => [...setFlags, ...hsmFlags],
  "create encryption-key with hsm": (_files, output) => [
    ...setFlags,
    ...hsmFlags,
    "--output-file",
    path.join(output, "encryption-key.json"),
  ],
  "destroy all with hsm": () => [...clusterFlags, "--purge"],
  "create management-cluster": (_files, output) => [
    ...createManagementFlags,
    "--output-file",
    path.join(output, "management-cluster.json"),
  ],
  "destroy management-cluster": () => [...managementFlags, "--purge"],
  "create service-cluster": (_files, output) => [...createServiceFlags, "--output-file", path.join(output, "service-cluster.json")],
  "destroy service-cluster": () => [...serviceFlags, "--purge"],
  "create arc": (_files, output) => [...arcFlags, "--output-dir", output],
  "create arc-secrets": (_files, output) => [
    ...arcFlags,
    ...["--output-file", path.join(output, "arc-secrets.json")],
    ...["--credential-file", path.join(output, "arc-credential.json")],
  ],
  "create arc-extension": () => arcExtensionFlags,
  "destroy arc-extension": () => arcExtensionFlags,
  "destroy arc": () => [...arcFlags, "--purge"],
  "create iam": (_files, output) => [...createIamFlags, "--output-file", path.join(output, "workload-identities.json")],
  "destroy iam": () => iamFlags,
  "adopt iam": () => iamFlags,
  "destroy iam with adopted": () => iamFlags,
  "create dns-zone": (_files, output) => [...createZoneFlags, "--output-file", path.join(output, "dns-zone.json")],
  "create dns-zone with service-principal": (_files, output) => [
    ...[...zoneFlags, "--external-dns-identity", "service-principal"],
    ...["--output-file", path.join(output, "dns-zone.json")],
    ...["--external-dns-credentials-file", path.join(output, "external-dns.json")],
  ],
  "destroy dns-zone": () => [...zoneFlags, "--purge"],
};

/** Reads a kubeconfig file and checks it before any request: it must not disable TLS verification. */
import { advise, shell } from "../errors/advice.js";
import { dirname, resolve } from "node:path";
import { KubeConfig, type Cluster } from "@kubernetes/client-node";
import { Failure } from "../errors/failure.js";
import { readInputFile } from "../files/input-file.js";
import { readDocument } from "../files/read.js";
import type { After, Surroundings } from "./run-clock.js";
import { environmentOfPrograms } from "./program-environment.js";
import { pluginOf, runPlugin, type Plugin } from "./sign-in-plugin.js";

export interface Kubeconfig {
  readonly path: string;
  /** Address of the API server of its current context. */
  readonly server: string;
  /** The configuration with that context. */
  readonly config: KubeConfig;
  /** The variables of helm and of the sign-in plugin. */
  readonly programEnvironment: NodeJS.ProcessEnv;
  /** Limits the time of requests. */
  readonly after: After;
}

/**
 * @throws ARO-FILE-001 or 002 if the file is unreadable, ARO-FILE-003 if it is not a kubeconfig or names no cluster, ARO-USAGE-001 if it
 * disables the verification of certificates.
 */
export async function readKubeconfig(path: string, { environment, clock }: Surroundings): Promise<Kubeconfig> {
  const { value } = await readDocument(path);
  for (const file of filesIn(value)) await readInputFile(resolve(dirname(path), file), longestFile);
  const config = new KubeConfig();
  let plugin: Plugin | undefined;
  try {
    // Well-formed already: the client's own reader quotes an invalid file, which may contain a token.
    config.loadFromString(JSON.stringify(value));
    config.makePathsAbsolute(dirname(resolve(path)));
    plugin = pluginOf(config.getCurrentUser());
  } catch (error) {
    // The client reads members of null and of other types without a check.
    const isAbout = error instanceof Error && !(error instanceof TypeError);
    throw noKubeconfig(`${path} is not a kubeconfig: ${isAbout ? error.message : "a member has another type"}`);
  }
  const cluster = currentCluster(config, path);
  requireVerified(cluster, path);
  const programEnvironment = environmentOfPrograms(environment, plugin);
  if (plugin !== undefined) runPlugin(config, plugin, programEnvironment, clock.now);
  return { path, server: cluster.server, config, programEnvironment, after: clock.after };
}

/** The client reads these files synchronously. A read of a pipe or a device could block the process forever, so they are checked first. */
const fileKeys = new Set(["certificate-authority", "client-certificate", "client-key", "token-file", "tokenFile"]);
const longestFile = 1024 * 1024;

function filesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    fileKeys.has(key) && typeof part === "string" && part !== "" ? [part] : filesIn(part),
  );
}

function currentCluster(config: KubeConfig, path: string): Cluster {
  const context = config.getCurrentContext() || undefined;
  if (context === undefined) throw noKubeconfig(`${path} has no current context`);
  const cluster = config.getCurrentCluster();
  if (cluster?.server) return cluster;
  throw noKubeconfig(`${path} has no cluster for its current context ${context}`);
}

function noKubeconfig(message: string): Failure {
  return new Failure("ARO-FILE-003", message, {
    next: [advise`pass the file that ${shell`az aks get-credentials --resource-group GROUP --name NAME --file FILE`} writes`],
  });
}

function requireVerified({ name, server, skipTLSVerify }: Cluster, path: string): void {
  const wrong = skipTLSVerify
    ? `insecure-skip-tls-verify for cluster ${name}, but certificates are always verified`
    : !server.startsWith("https://")
      ? `the address ${server} for cluster ${name}, which is not HTTPS`
      : undefined;
  if (wrong === undefined) return;
  throw new Failure("ARO-USAGE-001", `--kubeconfig: ${path} sets ${wrong}`, {
    next: [
      advise`remove the setting, and set certificate-authority-data to the cluster's own certificate authority, as ${shell`az aks get-credentials`} writes it`,
    ],
  });
}

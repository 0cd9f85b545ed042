/** The commands that install and remove the agents, in the order that works. */
import { arcFiles } from "../../domain/directory-files.js";
import { securityContextBinding } from "./cluster-objects.js";
import { agents } from "./names.js";

export interface AgentChart {
  /** Without a scheme and a version: `mcr.microsoft.com/azurearck8s/batch1/stable/azure-arc-k8sagents`. */
  readonly repository: string;
  readonly version: string;
}

/** `mcr.microsoft.com/a/b:1.2.3`; undefined if it is not an OCI path with a version. */
export function agentChartIn(path: string): AgentChart | undefined {
  const [, repository, version] = /^([\w.-]+(?:\/[\w.-]+)+):([\w.+-]+)$/.exec(path) ?? [];
  return repository === undefined || version === undefined ? undefined : { repository, version };
}

const { release, releaseNamespace, namespace } = agents;

/** The arguments of helm. `values` is the path of the file of values: the private key must not be on a command line. */
export function installArguments({ repository, version }: AgentChart, values: string): readonly string[] {
  return [
    ...["upgrade", "--install", release, `oci://${repository}`, "--version", version],
    ...["--namespace", releaseNamespace, "--create-namespace", "--values", values, "--wait", "--timeout", "10m"],
  ];
}

export const uninstallArguments: readonly string[] = [
  "uninstall",
  release,
  "--namespace",
  releaseNamespace,
  "--ignore-not-found",
  "--wait",
];

/** One command for each line. The permission precedes the agents. */
export function installCommands(chart: AgentChart): readonly string[] {
  return [
    `oc apply -f ${arcFiles.namespace}`,
    `oc apply -f ${arcFiles.securityContext}`,
    ["helm", ...installArguments(chart, arcFiles.values)].join(" "),
  ];
}

export const removalCommands: readonly (readonly string[])[] = [
  ["helm", ...uninstallArguments],
  ["oc", "delete", "clusterrolebinding", securityContextBinding.metadata.name, "--ignore-not-found"],
  ["oc", "delete", "namespace", namespace, releaseNamespace, "--ignore-not-found"],
];

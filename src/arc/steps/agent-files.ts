/** The files that install the agents: Helm values with the private key, manifests, and the commands in their order. */
import { join } from "node:path";
import { installCommands, type AgentChart } from "../domain/agent-commands.js";
import { releaseNamespace, securityContextBinding } from "../domain/cluster-objects.js";
import { helmValues } from "../domain/helm-values.js";
import { connectedClusterId } from "../domain/names.js";
import { defineStep, type OutputsOf, type Step } from "../../engine/step.js";
import { arcWriter, hasText, writeAgentFile, yamlText, type AgentFile } from "../files/arc-files.js";
import { markedFile, markOf } from "../../files/written-mark.js";
import type { ConnectedClusterOutput } from "./connected-cluster.js";
import type { ArcContext } from "./context.js";
import type { OnboardingKey } from "./onboarding-key.js";
import { arcFiles } from "../../domain/directory-files.js";

type Needs = {
  readonly key: Step<OnboardingKey>;
  readonly chart: Step<AgentChart>;
  /** The agents find it in Azure when they start. */
  readonly cluster: Step<ConnectedClusterOutput>;
};

interface Written {
  readonly outdated: readonly string[];
}

export interface AgentFilesOutput {
  readonly values: string;
  readonly commands: string;
  readonly chart: AgentChart;
}

export function agentFiles(context: ArcContext, needs: Needs): Step<AgentFilesOutput> {
  const { directory } = context;
  const read = async (files: readonly AgentFile[]): Promise<Written> => {
    const current = await Promise.all(files.map(hasText));
    return { outdated: files.filter((_, index) => current[index] !== true).map(({ path }) => path) };
  };
  const output = (chart: AgentChart) => ({ values: join(directory, arcFiles.values), commands: join(directory, arcFiles.commands), chart });
  return defineStep({
    id: "agent-files",
    title: `files for the agents in ${directory}`,
    subject: { kind: "file" },
    needs,
    read: (outputs) => read(filesOf(context, outputs)),
    decide: (live) => {
      if (live?.outdated.length === 0) return { act: "keep" };
      const changes = (live?.outdated ?? []).map((path) => ({ path, from: "absent or outdated", to: "current" }));
      return { act: "update", why: "they are absent or outdated", changes };
    },
    async apply(_live, outputs): Promise<Written> {
      for (const file of filesOf(context, outputs)) if (!(await hasText(file))) await writeAgentFile(file);
      return { outdated: [] };
    },
    predict: ({ chart }) => output(chart),
    output: (_live, { chart }) => output(chart),
  });
}

function filesOf(
  { azure, spec, directory }: ArcContext,
  { key: { privateKey = "" }, chart, cluster: { kind } }: OutputsOf<Needs>,
): AgentFile[] {
  const values = helmValues(spec, { privateKey, cloud: azure.connection.cloud.agentsName, kind });
  const writer = arcWriter(connectedClusterId({ ...spec, groupName: spec.group.name }));
  const mark = markOf(writer);
  const file = (name: string, text: string, mode: AgentFile["mode"] = 0o644) => ({
    ...markedFile(join(directory, name), writer),
    text,
    mode,
  });
  return [
    file(arcFiles.values, mark + yamlText(values), 0o600),
    file(arcFiles.namespace, mark + yamlText(releaseNamespace)),
    file(arcFiles.securityContext, mark + yamlText(securityContextBinding)),
    file(arcFiles.commands, commandsText(mark, chart)),
  ];
}

function commandsText(mark: string, chart: AgentChart): string {
  return ["#!/bin/sh", `${mark}set -eu`, 'cd "$(dirname "$0")"', ...installCommands(chart), ""].join("\n");
}

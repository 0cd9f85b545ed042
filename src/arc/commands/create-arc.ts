/** `create arc`: creates the connected cluster and the files for its agents, and with access to the cluster, installs them. */
import { signedIn } from "../../azure/signed-in.js";
import { installCommands } from "../domain/agent-commands.js";
import { platformOf, type ClusterPlatform } from "../domain/distribution.js";
import { connectedClusterId } from "../domain/names.js";
import { arcFileNames, arcOutputs } from "../files/arc-files.js";
import { withDirectory } from "../../files/text-file.js";
import { checkOutputs } from "../../files/write.js";
import type { Kubeconfig } from "../../kubernetes/kubeconfig.js";
import type { Resolved, Settings } from "../../settings/settings.js";
import type { AgentFilesOutput } from "../steps/agent-files.js";
import { arcGraph } from "../steps/graph.js";
import { withArcAccess } from "../inputs/arc-access.js";
import { arcSpec } from "../inputs/arc-spec.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import { written } from "../../run/written-files.js";
import type { ProcessPort } from "../../run/process-port.js";
import { applyGraph } from "../../run/apply.js";
import { preflight } from "../../run/create-preflight.js";
import type { RunContext } from "../../run/run-context.js";
import { withLocation } from "../../run/location.js";
import { targetOf } from "../../run/target.js";
import { withConnection } from "../../run/with-connection.js";
import { advise, aroHcp, type Advice } from "../../errors/advice.js";

const command = "create arc";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, outputDir, skipDiagnostics } = given.settings;
  const run = () =>
    withConnection({ ...given.settings, command }, given.notices, port, (azure, context) =>
      withArcAccess(azure, given.settings, context, async (access, kubeconfig) => {
        const { settings } = await withLocation(command, given, azure, context, arcPlace(given.settings, azure).groupName);
        const { location } = settings;
        const { subscriptionId } = azure.connection;
        const tenantId = azure.connection.tenantId || (await signedIn(azure.connection)).tenantId;
        const detectedPlatform = await platformFromNodes(settings, kubeconfig, context);
        const spec = await arcSpec(settings, { subscriptionId, tenantId, detectedPlatform });
        const clusterID = connectedClusterId(arcPlace(settings, azure));
        if (!settings.dryRun) await checkOutputs(arcOutputs(outputDir, clusterID));
        const { steps, files } = arcGraph(azure, spec, { directory: outputDir, access, skipDiagnostics });
        let agentFiles: AgentFilesOutput | undefined;
        const { code, done } = await applyGraph(azure, context, settings, {
          command,
          subject: name,
          about: { name },
          target: targetOf(azure, { location, connectedCluster: name }),
          steps,
          preflight: preflight(azure, port, { parts: ["arc"], location, steps }),
          onDone: (step, output) => {
            if (step === files) agentFiles = output as AgentFilesOutput;
          },
          document: () => ({ clusterID, agentsInstalled: access?.hasHelm === true, ...(agentFiles && { files: agentFiles }) }),
          written: written(outputDir, "arcAgents"),
          next: () => afterCreateArc(settings, access?.hasHelm === true),
        });
        if (!done || agentFiles === undefined) return code;
        if (access?.hasHelm !== true) {
          const why = access === undefined ? "" : "; helm is not installed on this machine, so they are still missing";
          context.say(`install the agents from the directory ${outputDir}, in this order${why}`);
          if (settings.output === "text") context.result.print(installCommands(agentFiles.chart).join("\n"));
        } else if (settings.output === "text") context.result.print(clusterID);
        return code;
      }),
    );
  return given.settings.dryRun ? run() : withDirectory(outputDir, arcFileNames, run);
}

/** Flags that say both need no permission to list nodes. */
async function platformFromNodes(
  { distribution, infrastructure }: Settings<typeof command>,
  kubeconfig: Kubeconfig | undefined,
  { signal }: RunContext,
): Promise<ClusterPlatform> {
  if (kubeconfig === undefined || (distribution !== undefined && infrastructure !== undefined)) return platformOf([]);
  const { openKubernetes } = await import("../../kubernetes/api-server.js");
  return platformOf(await openKubernetes(kubeconfig, signal).nodes());
}

/** `areInstalled`: whether the run installed the agents. */
function afterCreateArc(
  { name, resourceGroupName }: { name: string; resourceGroupName?: string | undefined },
  areInstalled: boolean,
): Advice[] {
  const settings = { name, resourceGroupName };
  const first = areInstalled ? "wait until the agents are connected" : "install the agents as below, and wait until they are connected";
  return [
    advise`${first}: ${aroHcp("wait arc", settings)}`,
    advise`check it: ${aroHcp("verify arc", settings)}`,
    advise`disconnect it: ${aroHcp("destroy arc", settings)}`,
  ];
}

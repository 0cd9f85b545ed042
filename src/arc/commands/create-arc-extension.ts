/** `create arc extension`: installs an extension on a connected cluster, and reports what the agents say about a failure. */
import type { Kubeconfig } from "../../kubernetes/kubeconfig.js";
import type { RunContext } from "../../run/run-context.js";
import { extensionGraph, type ForeignDriver } from "../steps/extension.js";
import type { Resolved } from "../../settings/settings.js";
import { extensionSpec } from "../inputs/arc-extension.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../../run/process-port.js";
import { applyGraph } from "../../run/apply.js";
import { planPreflight } from "../../run/create-preflight.js";
import { targetOf } from "../../run/target.js";
import { withConnection } from "../../run/with-connection.js";

const command = "create arc extension";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const extension = extensionSpec(settings);
  const kubeconfig =
    settings.kubeconfig === undefined
      ? undefined
      : await (await import("../../kubernetes/kubeconfig.js")).readKubeconfig(settings.kubeconfig, port);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const place = arcPlace(settings, azure);
    const foreignDriver = kubeconfig && (() => driverOn(kubeconfig, extension.name, context));
    const { code } = await applyGraph(azure, context, settings, {
      command,
      subject: `${settings.name}/${extension.name}`,
      about: { name: settings.name, extensionName: extension.name },
      target: targetOf(azure, { connectedCluster: settings.name }),
      steps: extensionGraph(azure, { place, extension, foreignDriver }),
      preflight: planPreflight(azure, port),
      document: () => ({ extension: { name: extension.name, type: extension.type.type } }),
    });
    return code;
  });
}

/** Helm labels what it installs with its release: the extension's own driver has the extension's name. */
async function driverOn(kubeconfig: Kubeconfig, extensionName: string, { signal }: RunContext): Promise<ForeignDriver | undefined> {
  const { openKubernetes } = await import("../../kubernetes/api-server.js");
  const driver = await openKubernetes(kubeconfig, signal).secretsStoreDriver();
  if (driver === undefined || driver.release === extensionName) return undefined;
  const { release, releaseNamespace = "?" } = driver;
  return {
    origin:
      release === undefined
        ? "an installation without Helm, such as OpenShift's operator"
        : `Helm release ${release} in ${releaseNamespace}`,
  };
}

/** `render secret-provider-classes`: what the control plane's pods mount their credentials by, from the identity files; nothing is asked of Azure. */
import { Failure } from "../../errors/failure.js";
import { readHostedClusterInput } from "../../files/hosted-cluster-input.js";
import { readManagedIdentities } from "../../files/identity-files.js";
import { clusterNameIn } from "../../files/infra-output.js";
import { secretProviderClasses } from "../../manifests/secret-provider-class.js";
import { screensOf } from "../../render/screen.js";
import type { Resolved } from "../../settings/settings.js";
import { inputFiles } from "../inputs/input-files.js";
import { putOut } from "../outputs/manifest-output.js";
import { kmsIdentity } from "../inputs/kms-identity.js";
import type { ProcessPort } from "../process-port.js";

export async function run({ settings, notices }: Resolved<"render secret-provider-classes">, port: ProcessPort): Promise<number> {
  const screens = screensOf(port, settings.color);
  for (const notice of notices) screens.people.print(`notice: ${notice}`);
  const { disableClusterCapabilities: disabledCapabilities } = settings;
  const { managedIdentities, infra } = await inputFiles({ ...settings, infraJson: undefined, oidcIssuerUrl: undefined });
  const { identities } = await readManagedIdentities(told(managedIdentities, "--managed-identities-file"), { disabledCapabilities });
  const { namespace, keyVaultUserClientId } = settings;
  const name = told(settings.name ?? (infra && clusterNameIn((await readHostedClusterInput(infra)).input)), "--name");
  const classes = secretProviderClasses({
    cluster: { name, namespace },
    controlPlane: identities.controlPlane,
    disabledCapabilities,
    kms: kmsIdentity(settings, identities),
    readerClientId: keyVaultUserClientId,
  });
  await putOut(classes, settings, screens);
  return 0;
}

/** The settings were checked: only a directory can still fail to say it. */
function told(value: string | undefined, flag: string): string {
  if (value !== undefined) return value;
  throw new Failure("ARO-USAGE-001", `${flag} is required: no file of --input-dir says it`);
}

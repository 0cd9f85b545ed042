/** `render secret-provider-classes`: the classes that mount the control plane's credentials, without Azure. */
import { withFileRecord } from "../infra/index.js";
import { Failure } from "../errors/failure.js";
import { readHostedClusterInput } from "../files/hosted-cluster-input.js";
import { readManagedIdentities } from "../files/identity-files.js";
import { clusterNameIn } from "../files/infra-output.js";
import { secretProviderClasses } from "./manifests/secret-provider-class.js";
import { screensOf } from "../render/screen.js";
import { sentence } from "../render/wrapped.js";
import type { Resolved } from "../settings/settings.js";
import { inputFiles } from "../run/input-files.js";
import { addOnId, infraPlace, readManagementCluster, requireSamePlace } from "./inputs/management-cluster-file.js";
import { writeManifests } from "../run/manifest-output.js";
import { kmsIdentity } from "./inputs/kms-identity.js";
import type { ProcessPort } from "../run/process-port.js";

export async function run(resolved: Resolved<"render secret-provider-classes">, port: ProcessPort): Promise<number> {
  const { settings, notices } = resolved;
  const screens = screensOf(port, settings.color);
  for (const notice of notices) screens.people.print(sentence(screens.people, `notice: ${notice}`));
  const cluster = await readManagementCluster(settings.managementClusterFile);
  const readerClientId = required(addOnId(resolved, "keyVaultUserClientId", cluster), "--key-vault-user-client-id");
  const { managedIdentities, infra } = await inputFiles({ ...settings, infraFile: undefined, oidcIssuerUrl: undefined });
  const input = infra === undefined ? undefined : (await readHostedClusterInput(infra)).input;
  const { disableClusterCapabilities: disabledCapabilities } = (await withFileRecord(resolved, input?.options, infra)).settings;
  const { identities } = await readManagedIdentities(required(managedIdentities, "--managed-identities-file"), { disabledCapabilities });
  const instead = `pass --key-vault-user-client-id ${readerClientId} instead of the file`;
  requireSamePlace(cluster, infraPlace(input), infra ?? "", instead);
  requireSamePlace(cluster, { tenantId: identities.controlPlane.managedIdentitiesKeyVault.tenantID }, managedIdentities ?? "");
  const { namespace } = settings;
  const name = required(settings.name ?? (input && clusterNameIn(input)), "--name");
  const classes = secretProviderClasses({
    cluster: { name, namespace },
    controlPlane: identities.controlPlane,
    disabledCapabilities,
    kms: kmsIdentity(settings, identities),
    readerClientId,
  });
  const { format, outputFile } = settings;
  // Another management cluster may have a hosted cluster of the same names. A vault's name is unique.
  const owner = `${namespace}/${name}, Key Vault ${identities.controlPlane.managedIdentitiesKeyVault.name}`;
  const writer = { command: "render secret-provider-classes", owner };
  await writeManifests(classes, { format, outputFile, writer }, screens);
  return 0;
}

/** Settings validation requires the flag or a directory; the directory may still lack the value. */
function required(value: string | undefined, flag: string): string {
  if (value !== undefined) return value;
  throw new Failure("ARO-USAGE-001", `${flag} is required: no file in --input-dir contains it`);
}

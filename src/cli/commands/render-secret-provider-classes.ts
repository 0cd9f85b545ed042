/** `render secret-provider-classes`: what the control plane's pods mount their credentials by, from the identity files; nothing is asked of Azure. */
import { readManagedIdentities } from "../../files/identity-files.js";
import { secretProviderClasses } from "../../manifests/secret-provider-class.js";
import { processScreens } from "../../render/screen.js";
import type { Resolved } from "../../settings/settings.js";
import { putOut } from "../manifest-output.js";
import { kmsIdentity } from "../kms-identity.js";

export async function run(
  { settings, notices }: Resolved<"render secret-provider-classes">,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const screens = processScreens(settings.color, environment);
  for (const notice of notices) screens.people.print(`notice: ${notice}`);
  const imageRegistry = !settings.disableClusterCapabilities.includes("ImageRegistry");
  const { identities } = await readManagedIdentities(settings.managedIdentitiesFile, { imageRegistry });
  const { name, namespace, keyVaultUserClientId } = settings;
  const classes = secretProviderClasses({
    cluster: { name, namespace },
    // Whose operator is not deployed has nothing to mount.
    controlPlane: imageRegistry ? identities.controlPlane : { ...identities.controlPlane, imageRegistry: undefined },
    kms: kmsIdentity(settings, identities),
    readerClientId: keyVaultUserClientId,
  });
  await putOut(classes, settings, screens);
  return 0;
}

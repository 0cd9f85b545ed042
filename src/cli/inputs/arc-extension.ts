/** The settings of an extension of a connected cluster, as the domain wants them. */
import { defaultExtensionName, keyVaultSettings, type ExtensionSpec } from "../../domain/arc/extension.js";
import { extensionType, isKeyVaultProvider } from "../../domain/arc/extension-types.js";
import { arcNames } from "../../domain/arc/names.js";
import type { Azure } from "../../azure/azure.js";
import type { ConnectedClusterPlace } from "../../steps/arc/connected-cluster-lookup.js";
import type { Settings } from "../../settings/settings.js";

/** A new provider follows new versions in the vault: otherwise a rotated secret never reaches the pods. */
const rotates = { rotation: true, rotationInterval: "2m", syncSecrets: undefined } as const;

export function arcPlace(
  { name, resourceGroupName }: { readonly name: string; readonly resourceGroupName: string | undefined },
  { connection: { subscriptionId } }: Azure,
): ConnectedClusterPlace {
  return { subscriptionId, groupName: resourceGroupName ?? arcNames(name).group, name };
}

export function extensionSpec(settings: Settings<"create arc-extension">): ExtensionSpec {
  const type = extensionType(settings.extensionType);
  const { secretRotation, syncSecrets, rotationInterval } = settings;
  const switched = (given: string | undefined) => (given === undefined ? undefined : given === "on");
  const own = isKeyVaultProvider(type)
    ? keyVaultSettings({ rotation: switched(secretRotation), rotationInterval, syncSecrets: switched(syncSecrets) })
    : {};
  return {
    type,
    name: settings.extensionName ?? defaultExtensionName(type),
    releaseNamespace: settings.releaseNamespace ?? type.releaseNamespace,
    releaseTrain: settings.releaseTrain,
    version: settings.extensionVersion,
    settings: { ...Object.fromEntries((settings.extensionSetting ?? []).map(settingIn)), ...own },
    defaults: isKeyVaultProvider(type) ? keyVaultSettings(rotates) : {},
  };
}

/** Only the first equals sign separates. */
function settingIn(text: string): [key: string, value: string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

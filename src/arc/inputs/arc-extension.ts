/** The settings of an extension of a connected cluster, as the domain wants them, and which extensions the settings choose. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import { defaultExtensionName, keyVaultSettings, type ExtensionSpec } from "../domain/extension.js";
import { extensionType, isKeyVaultProvider } from "../domain/extension-types.js";
import type { Settings } from "../../settings/settings.js";
import { sameText } from "../../text/same-text.js";

/** A new provider follows new versions in the vault: otherwise a rotated secret never reaches the pods. */
const rotates = { rotation: true, rotationInterval: "2m", syncSecrets: undefined } as const;

export function extensionSpec(settings: Settings<"create arc extension">): ExtensionSpec {
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

interface Choice {
  readonly extensionType: string | undefined;
  readonly extensionName: string | undefined;
}

/** Each given option must be true of the extension; without options, every extension is chosen. */
export function isChosenExtension({ extensionType: type, extensionName }: Choice): (extension: Extension) => boolean {
  const chosen = type === undefined ? undefined : extensionType(type);
  return ({ name, extensionType: live }) =>
    (extensionName === undefined || sameText(name, extensionName)) &&
    (chosen === undefined || sameText(live, chosen.type) || (live === undefined && sameText(name, defaultExtensionName(chosen))));
}

/** Only the first equals sign separates. */
function settingIn(text: string): [key: string, value: string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

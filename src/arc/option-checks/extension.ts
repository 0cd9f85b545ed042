/** Checks of the extension of a connected cluster: its name, and settings that only one type has. */
import { extensionNameRule } from "../domain/extension.js";
import { extensionType, isKeyVaultProvider } from "../domain/extension-types.js";
import type { SettingKey } from "../../settings/settings.js";
import type { Check } from "../../settings/checks/check.js";

const ofKeyVault = ["secretRotation", "rotationInterval", "syncSecrets"] as const satisfies readonly SettingKey[];

/** A duration of Go, as the chart of the driver reads it. */
const goDuration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

export const checkExtension: Check = ({ command, values, given, problem }) => {
  if (!command.endsWith("arc-extension")) return;
  const { extensionType: chosen, extensionName, releaseNamespace, releaseTrain, extensionVersion, rotationInterval } = values;
  if (extensionName !== undefined && !extensionNameRule.test(extensionName))
    problem("extensionName", `"${extensionName}" is not a name of an extension: use 1 to 253 letters, digits, hyphens and periods`);
  if (command === "destroy arc-extension" && chosen === undefined && extensionName === undefined)
    problem("extensionType", "is missing: pass --extension-type or --extension-name");
  if (chosen === undefined) return;
  const type = extensionType(chosen);
  if (type.extensionName === undefined && !/^[a-z0-9][\w.-]*$/i.test(chosen))
    problem("extensionType", `"${chosen}" is not a type of extension: use key-vault, policy, or a registered name such as microsoft.flux`);
  if (releaseNamespace !== undefined && type.releaseNamespace !== undefined && releaseNamespace !== type.releaseNamespace)
    problem("releaseNamespace", `must be ${type.releaseNamespace} for ${chosen}`);
  if (releaseTrain !== undefined && extensionVersion !== undefined)
    problem("releaseTrain", "cannot be combined with --extension-version: a pinned version follows no train");
  if (rotationInterval !== undefined && !goDuration.test(rotationInterval))
    problem("rotationInterval", `"${rotationInterval}" is not a duration: use a number and s, m or h, as in 2m`);
  for (const key of isKeyVaultProvider(type) ? [] : ofKeyVault) {
    if (given(key)) problem(key, "requires --extension-type key-vault");
  }
};

export const checkExtensionSettings: Check = ({ values: { extensionSetting = [] }, problem }) => {
  for (const setting of extensionSetting) {
    if (!/^[^=\s]+=/.test(setting)) problem("extensionSetting", `"${setting}" is not a setting: use key=value`);
  }
};

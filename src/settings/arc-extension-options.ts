/** The options that define an extension of a connected cluster. Part of the table of options. */
import type { Option } from "./option.js";

export const arcExtensionOptions = {
  extensionType: {
    key: "extensionType",
    flag: "--extension-type",
    kind: "text",
    group: "identity",
    help: "key-vault, policy, or the registered name of any other type of extension",
  },
  extensionName: {
    key: "extensionName",
    flag: "--extension-name",
    kind: "text",
    group: "placement",
    help: "name of the extension; default: akvsecretsprovider for key-vault, azurepolicy for policy, otherwise the type",
  },
  releaseNamespace: {
    key: "releaseNamespace",
    flag: "--release-namespace",
    kind: "text",
    group: "placement",
    help: "namespace of its Helm release; key-vault and policy are always in kube-system",
  },
  releaseTrain: {
    key: "releaseTrain",
    flag: "--release-train",
    kind: "text",
    group: "run",
    help: "release train of its upgrades: Stable, Preview; default: Stable. If you pass it, a pinned version is no longer pinned",
  },
  extensionVersion: {
    key: "extensionVersion",
    flag: "--extension-version",
    kind: "text",
    group: "run",
    help: "version to pin; default: a pinned extension keeps its version, any other is upgraded automatically",
  },
  extensionSetting: {
    key: "extensionSetting",
    flag: "--extension-setting",
    kind: "texts",
    group: "run",
    help: "a setting of its Helm chart: key=value; can be repeated; never a secret",
  },
  secretRotation: {
    key: "secretRotation",
    flag: "--secret-rotation",
    kind: "choice",
    choices: ["on", "off"],
    group: "run",
    help: "key-vault: whether mounted secrets follow new versions in the vault; a new extension has it on",
  },
  rotationInterval: {
    key: "rotationInterval",
    flag: "--rotation-interval",
    kind: "text",
    group: "run",
    help: "key-vault: how often the vault is read for new versions: 2m, 1h",
  },
  syncSecrets: {
    key: "syncSecrets",
    flag: "--sync-secrets",
    kind: "choice",
    choices: ["on", "off"],
    group: "run",
    help: "key-vault: whether mounted secrets can also become Kubernetes secrets",
  },
  forceDelete: {
    key: "forceDelete",
    flag: "--force-delete",
    kind: "switch",
    group: "safety",
    help: "delete the extension in Azure even if the agents do not remove it from the cluster, where it then stays",
  },
} as const satisfies Readonly<Record<string, Option>>;

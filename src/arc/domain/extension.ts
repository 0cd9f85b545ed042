/** A cluster extension as a create wants it, compared with the one in Azure. */
import { sameText } from "../../text/same-text.js";
import { isKeyVaultProvider, type ExtensionType } from "./extension-types.js";

export interface ExtensionSpec {
  readonly type: ExtensionType;
  readonly name: string;
  /** Undefined: chosen by the extension. */
  readonly releaseNamespace: string | undefined;
  /** Undefined: Azure's default, Stable. */
  readonly releaseTrain: string | undefined;
  /** A pinned version; undefined: a new extension is upgraded automatically, and a pinned one stays pinned. */
  readonly version: string | undefined;
  /** The settings that this create sets; others stay as they are. */
  readonly settings: Readonly<Record<string, string>>;
  /** Further settings of a new extension. */
  readonly defaults: Readonly<Record<string, string>>;
}

/** The members of an extension in Azure that are compared. */
export interface LiveExtension {
  readonly extensionType?: string;
  readonly autoUpgradeMinorVersion?: boolean;
  readonly releaseTrain?: string | null;
  /** Null: not pinned. */
  readonly version?: string | null;
  /** The installed one. */
  readonly currentVersion?: string | null;
  readonly scope?: {
    readonly cluster?: { readonly releaseNamespace?: string };
    readonly namespace?: { readonly targetNamespace?: string };
  };
  readonly configurationSettings?: Readonly<Record<string, string>> | null;
}

/** A difference in the terms of a plan. */
export interface ExtensionDifference {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The settings of the Key Vault secrets provider, with the names of its Helm chart. */
export interface KeyVaultSettings {
  /** Undefined: unchanged. */
  readonly rotation: boolean | undefined;
  /** A duration of Go: `2m`. */
  readonly rotationInterval: string | undefined;
  readonly syncSecrets: boolean | undefined;
}

const driver = "secrets-store-csi-driver";

/** Azure accepts only strings as values. */
export function keyVaultSettings({ rotation, rotationInterval, syncSecrets }: KeyVaultSettings): Record<string, string> {
  const settings: Readonly<Record<string, string | undefined>> = {
    [`${driver}.enableSecretRotation`]: rotation === undefined ? undefined : String(rotation),
    [`${driver}.rotationPollInterval`]: rotationInterval,
    [`${driver}.syncSecret.enabled`]: syncSecrets === undefined ? undefined : String(syncSecrets),
  };
  return Object.fromEntries(Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** Reads the settings of an extension as Azure has them. */
export function keyVaultRotation(settings: Readonly<Record<string, string>>): {
  readonly rotation: string | undefined;
  readonly interval: string | undefined;
} {
  return { rotation: settings[`${driver}.enableSecretRotation`], interval: settings[`${driver}.rotationPollInterval`] };
}

/** The body that creates it. */
export function wantedExtension({ type, releaseNamespace, releaseTrain = "Stable", version, settings, defaults }: ExtensionSpec) {
  return {
    identity: { type: "SystemAssigned" as const },
    extensionType: type.type,
    autoUpgradeMinorVersion: version === undefined,
    // Only an extension that is upgraded follows a release train.
    ...(version === undefined ? { releaseTrain } : { version }),
    ...(releaseNamespace !== undefined && { scope: { cluster: { releaseNamespace } } }),
    configurationSettings: { ...defaults, ...settings },
  };
}

/** The version to which the extension stays pinned: a create that names neither a version nor a release train does not start upgrades. */
export function keptPin(live: LiveExtension, { version, releaseTrain }: ExtensionSpec): string | undefined {
  const isKept = live.autoUpgradeMinorVersion === false && version === undefined && releaseTrain === undefined;
  return isKept ? pinnedVersion(live) : undefined;
}

/** Automatic upgrades can be off without a named version: the installed one then stays. */
function pinnedVersion({ version, currentVersion }: LiveExtension): string | undefined {
  return version ?? currentVersion ?? undefined;
}

/** What Azure changes only by deleting the extension and creating another. */
export function immutableDifferences(
  live: LiveExtension,
  { type, releaseNamespace, releaseTrain, version }: ExtensionSpec,
): readonly ExtensionDifference[] {
  const liveNamespace = live.scope?.cluster?.releaseNamespace ?? live.scope?.namespace?.targetNamespace;
  const liveTrain = live.releaseTrain ?? undefined;
  return [
    ...(sameText(live.extensionType, type.type) ? [] : [{ path: "extensionType", from: live.extensionType, to: type.type }]),
    ...(releaseNamespace === undefined || liveNamespace === undefined || liveNamespace === releaseNamespace
      ? []
      : [{ path: "scope.cluster.releaseNamespace", from: liveNamespace, to: releaseNamespace }]),
    ...(releaseTrain === undefined || version !== undefined || liveTrain === undefined || sameText(liveTrain, releaseTrain)
      ? []
      : [{ path: "releaseTrain", from: liveTrain, to: releaseTrain }]),
  ];
}

/** What an update changes. Settings that only Azure or others set are no differences. */
export function extensionDifferences(live: LiveExtension, spec: ExtensionSpec): readonly ExtensionDifference[] {
  const { version, settings } = spec;
  const { configurationSettings } = live;
  const isAutomatic = live.autoUpgradeMinorVersion ?? true;
  return [
    ...(isAutomatic === (version === undefined) ? [] : [{ path: "autoUpgradeMinorVersion", from: isAutomatic, to: version === undefined }]),
    ...(version === undefined || sameText(pinnedVersion(live), version)
      ? []
      : [{ path: "version", from: pinnedVersion(live), to: version }]),
    ...Object.entries(settings).flatMap(([key, to]) => {
      const from = configurationSettings?.[key];
      return from === to ? [] : [{ path: `configurationSettings[${key}]`, from, to }];
    }),
  ];
}

/** The body of the update: the settings of others are sent again, so that they stay whether Azure merges or replaces. */
export function extensionUpdate(live: LiveExtension, spec: ExtensionSpec) {
  const { version, settings } = spec;
  const releaseTrain = live.releaseTrain ?? spec.releaseTrain;
  return {
    autoUpgradeMinorVersion: version === undefined,
    ...(version === undefined ? releaseTrain !== undefined && { releaseTrain } : { version }),
    configurationSettings: { ...live.configurationSettings, ...settings },
  };
}

/** The name of an extension unless one is given: the well-known one, or the type in lower case. */
export function defaultExtensionName({ type, extensionName }: ExtensionType): string {
  return extensionName ?? type.toLowerCase().replace(/[^a-z0-9.-]/g, "-");
}

/** A cluster has at most one instance of these types, whatever its name. */
export function isSingleton(type: ExtensionType): boolean {
  return isKeyVaultProvider(type) || type.extensionName !== undefined;
}

/** Azure's rule for the name of an extension. */
export const extensionNameRule = /^[a-zA-Z0-9][a-zA-Z0-9-.]{0,252}$/;

/** Reads objects of the Secrets Store CSI driver, for which the client has no types. */
import type { LiveSecretProviderClass, PodMount } from "./kubernetes.js";

export function secretProviderClassIn(item: unknown): LiveSecretProviderClass {
  const spec = member(item, "spec");
  const metadata = member(item, "metadata");
  return {
    namespace: textIn(metadata, "namespace") ?? "",
    name: textIn(metadata, "name") ?? "",
    provider: textIn(spec, "provider"),
    parameters: Object.fromEntries(Object.entries(recordIn(member(spec, "parameters"))).map(([key, value]) => [key, String(value)])),
  };
}

export function podMountIn(item: unknown): PodMount {
  const status = member(item, "status");
  const objects = member(status, "objects");
  return {
    namespace: textIn(member(item, "metadata"), "namespace") ?? "",
    pod: textIn(status, "podName") ?? "",
    secretProviderClass: textIn(status, "secretProviderClassName") ?? "",
    mounted: member(status, "mounted") === true,
    objects: (Array.isArray(objects) ? objects : []).map((object: unknown) => ({
      id: textIn(object, "id") ?? "",
      version: textIn(object, "version") ?? "",
    })),
  };
}

function member(value: unknown, key: string): unknown {
  return recordIn(value)[key];
}

function textIn(value: unknown, key: string): string | undefined {
  const held = member(value, key);
  return typeof held === "string" ? held : undefined;
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

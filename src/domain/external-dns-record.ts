/** How ExternalDNS signs in, as the tags of its zone record it: under the keys of a configuration file. */
import { externalDnsIdentities, type ExternalDnsAccess } from "./dns-zone.js";
import { optionTags, recordedOption } from "./option-tags.js";
import type { Tags } from "./tags.js";

export interface ExternalDnsRecord {
  readonly externalDnsIdentity?: ExternalDnsAccess["kind"];
  /** Of workload identity, and the next one too. */
  readonly externalDnsNamespace?: string;
  readonly externalDnsServiceAccount?: string;
}

export function externalDnsTags(access: ExternalDnsAccess): Record<string, string> {
  const { kind: externalDnsIdentity } = access;
  const record: ExternalDnsRecord =
    access.kind === "workload-identity"
      ? { externalDnsIdentity, externalDnsNamespace: access.namespace, externalDnsServiceAccount: access.serviceAccount }
      : { externalDnsIdentity };
  return optionTags(record);
}

/** Empty without a record, or with one that somebody changed to an unknown identity. */
export function recordedExternalDns(tags: Tags): ExternalDnsRecord {
  const externalDnsIdentity = externalDnsIdentities.find((one) => one === recordedOption(tags, "externalDnsIdentity"));
  if (externalDnsIdentity === undefined) return {};
  const externalDnsNamespace = recordedOption(tags, "externalDnsNamespace");
  const externalDnsServiceAccount = recordedOption(tags, "externalDnsServiceAccount");
  return {
    externalDnsIdentity,
    ...(externalDnsNamespace !== undefined && { externalDnsNamespace }),
    ...(externalDnsServiceAccount !== undefined && { externalDnsServiceAccount }),
  };
}

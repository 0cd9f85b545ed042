/** What secrets and certificates say of themselves: attributes and tags, as sent and as answered. */
import { z } from "zod";
import type { VersionAttributes } from "../../state/vault-content.js";
import { versionOf } from "../../arm/api-versions.js";
import { known } from "../../arm/body-schema.js";
import { recoveryLevelOf, retentionDaysOf } from "../../arm/types/key-vaults/provider.js";
import { badParameter } from "./errors.js";
import { epochSeconds, type VaultCall } from "./vault-call.js";

const longestTag = 256;
const mostTags = 15;

export const attributesBody = known({ enabled: z.boolean().optional(), nbf: z.int().optional(), exp: z.int().optional() }, [
  "created",
  "updated",
  "recoverableDays",
  "recoveryLevel",
]);

export const tagsBody = z.record(z.string(), z.string());

type Sent = z.output<typeof attributesBody>;

export function newAttributes({ call }: VaultCall, sent: Sent = {}): VersionAttributes {
  const now = epochSeconds(call.now);
  return checked({ enabled: sent.enabled ?? true, ...times(sent), created: now, updated: now });
}

/** New attributes replace the old ones; those not sent stay. */
export function changedAttributes({ call }: VaultCall, had: VersionAttributes, sent: Sent = {}): VersionAttributes {
  return checked({ ...had, enabled: sent.enabled ?? had.enabled, ...times(sent), updated: epochSeconds(call.now) });
}

function times({ nbf, exp }: Sent): Partial<VersionAttributes> {
  return { ...(nbf !== undefined && { nbf }), ...(exp !== undefined && { exp }) };
}

function checked(attributes: VersionAttributes): VersionAttributes {
  const { nbf, exp } = attributes;
  if (nbf === undefined || exp === undefined || nbf < exp) return attributes;
  throw badParameter("The expiry date (exp) must be later than the activation date (nbf).");
}

export function checkTags(tags: Readonly<Record<string, string>> = {}): void {
  const entries = Object.entries(tags);
  if (entries.length > mostTags) throw badParameter(`Too many tags: ${String(entries.length)}. At most ${String(mostTags)} are allowed.`);
  const long = entries.find(([name, value]) => name.length > longestTag || value.length > longestTag);
  if (long !== undefined) throw badParameter(`The tag '${long[0]}' exceeds the limit of ${String(longestTag)} characters.`);
}

/** Adds the recovery level of this vault, and since version 7.1 its days. */
export function presentAttributes({ call, vault }: VaultCall, attributes: VersionAttributes): Record<string, unknown> {
  const days = versionOf(call.request) !== "7.0" && { recoverableDays: retentionDaysOf(vault.properties) };
  return { ...attributes, recoveryLevel: recoveryLevelOf(vault.properties), ...days };
}

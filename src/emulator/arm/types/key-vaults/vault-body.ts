/** The body of a vault's PUT and PATCH, and which parts of it the emulator refuses. */
import { z } from "zod";
import { ApiError, notImplemented } from "../../../core/service.js";
import { known, oneOf } from "../../body-schema.js";
import { retentionDaysOf } from "./retention.js";

const fewestDays = 7;
const mostDays = 90;

/** The network rules of a vault, as sent and as stored. */
const subnetRule = known({ id: z.string(), ignoreMissingVnetServiceEndpoint: z.boolean().optional() });

/** Undefined if the rules admit everybody, as the default does: Azure answers none then. It answers the IDs of subnets in lower case. */
const networkAcls = known({
  bypass: oneOf("AzureServices", "None").default("AzureServices"),
  defaultAction: oneOf("Allow", "Deny").default("Allow"),
  ipRules: z.array(known({ value: z.string() })).default([]),
  virtualNetworkRules: z.array(subnetRule).default([]),
}).transform(({ ipRules, virtualNetworkRules, ...rest }) => {
  const admitsAll = rest.defaultAction === "Allow" && rest.bypass === "AzureServices" && ipRules.length + virtualNetworkRules.length === 0;
  if (admitsAll) return undefined;
  return {
    ...rest,
    ipRules: ipRules.map(({ value }) => ({ value: value.includes("/") ? value : `${value}/32` })),
    virtualNetworkRules: virtualNetworkRules.map(({ id }) => ({ id: id.toLowerCase() })),
  };
});

const changeable = {
  sku: known({ family: oneOf("A"), name: oneOf("standard", "premium") }).optional(),
  accessPolicies: z.array(z.unknown()).optional(),
  enabledForDeployment: z.boolean().optional(),
  enabledForDiskEncryption: z.boolean().optional(),
  enabledForTemplateDeployment: z.boolean().optional(),
  enableSoftDelete: z.boolean().optional(),
  softDeleteRetentionInDays: z.int().optional(),
  enableRbacAuthorization: z.boolean().optional(),
  enablePurgeProtection: z.boolean().optional(),
  networkAcls: networkAcls.optional(),
  publicNetworkAccess: oneOf("Enabled", "Disabled").optional(),
};

const readOnly = ["vaultUri", "provisioningState", "privateEndpointConnections", "hsmPoolResourceId"];

export const patchProperties = known(changeable, readOnly);

export const vaultBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    properties: known(
      { ...changeable, tenantId: z.guid(), sku: changeable.sku.unwrap(), createMode: oneOf("default", "recover").optional() },
      readOnly,
    ),
  },
  ["id", "name", "type", "systemData"],
);

type Changes = z.output<typeof patchProperties>;

/** Refuses invalid values, and valid ones that are not emulated. `had` is the vault before the write. */
export function checkVaultProperties(sent: Changes, had: Readonly<Record<string, unknown>> | undefined): void {
  const days = sent.softDeleteRetentionInDays;
  if (days !== undefined && (days < fewestDays || days > mostDays)) {
    throw badRequest(
      `The property "softDeleteRetentionInDays" has an invalid value: it must be between ${String(fewestDays)} and ${String(mostDays)}.`,
    );
  }
  if (days !== undefined && had !== undefined && retentionDaysOf(had) !== days) {
    throw badRequest('The property "softDeleteRetentionInDays" has been set already and it can\'t be modified.');
  }
  // Cannot be switched off again; a new vault without it must omit the property.
  if (sent.enablePurgeProtection === false) {
    throw badRequest(
      'The property "enablePurgeProtection" cannot be set to false. Enabling the purge protection for a vault is an irreversible action.',
    );
  }
  if ((sent.accessPolicies ?? []).length > 0) throw notImplemented("A vault with accessPolicies is not emulated.");
}

function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

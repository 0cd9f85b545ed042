/** Key vaults: usable some time after creation, soft-deleted, with globally unique names. */
import { z } from "zod";
import { ApiError, type Answer } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { versionOf } from "../../api-versions.js";
import { resourceNamed, resourcesByScope } from "../../indexes.js";
import { checkPolicies } from "../../knob-policies.js";
import { nameAvailability } from "../../name-availability.js";
import { present } from "../../present.js";
import { removeTree } from "../../removal.js";
import { keyOf, segmentsOf } from "../../resource-id.js";
import { defineType, type Moment, type Put } from "../../resource-type.js";
import { childrenOf, sameId } from "../../uses.js";
import { deletedVaultNamed, keepDeleted, recoverable } from "./deleted-vaults.js";
import {
  deprecation,
  firstByRoles,
  firstWithPublicNetworkAccess,
  vaultVersions,
  defaultRetentionDays,
  retentionDaysOf,
} from "./provider.js";
import { logOperation } from "../../../state/operation-log.js";
import { known, oneOf } from "../../body-schema.js";

/** The body of a vault's PUT and PATCH. */
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

const words = z.array(z.string()).optional();
export const accessPolicies = z
  .array(
    known({
      tenantId: z.guid(),
      objectId: z.string(),
      applicationId: z.guid().optional(),
      permissions: known({ keys: words, secrets: words, certificates: words, storage: words }),
    }),
  )
  .max(1024);

const changeable = {
  sku: known({ family: oneOf("A"), name: oneOf("standard", "premium") }).optional(),
  accessPolicies: accessPolicies.optional(),
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

const patchProperties = known(changeable, readOnly);

const vaultBody = known(
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

/** Refuses invalid values. `had` is the vault before the write. */
function checkVaultProperties(sent: Changes, had: Readonly<Record<string, unknown>> | undefined): void {
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
}

function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

const vaultType = "Microsoft.KeyVault/vaults";

const vaultName = /^[a-zA-Z](?!.*--)[a-zA-Z0-9-]{1,22}[a-zA-Z0-9]$/;

type Body = z.output<typeof vaultBody>;

export const vaults = defineType<Body>({
  name: vaultType,
  apiVersions: vaultVersions,
  versionDifferences: [
    { member: "publicNetworkAccess", since: firstWithPublicNetworkAccess },
    { member: "enableRbacAuthorization", default: false, before: firstByRoles },
    { member: "enableRbacAuthorization", default: true, since: firstByRoles },
  ],
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  answerHeaders: deprecation,
  emptyTags: true,
  systemData: true,
  emptyLastPage: true,
  createdStatus: 200,
  // The provider checks names itself, in its own words.
  namePattern: /./,
  nameRule: "",
  body: vaultBody,
  latency: { put: "keyVault.put", patch: "keyVault.update", delete: "keyVault.delete", inGroup: "keyVault" },
  // Answers no operation: clients read the vault until it is "Succeeded".
  put: {
    operation: "PutVault",
    answers: "resource",
    headers: [],
    pollRetryAfter: [],
    at: { under: "location", status: "operations", result: "operationResults", runningStatus: 200 },
  },
  busyStates: { creating: "RegisteringDns", updating: "Succeeded" },
  synchronousPutLatency: ({ existing }) => (existing === undefined ? undefined : "keyVault.update"),
  answerInstead: (put) => (put.body.properties.createMode === "recover" && put.existing === undefined ? recover(put) : undefined),
  checkPut(put) {
    const { state, id, name, body, existing } = put;
    checkName(name);
    if (keyOf(body.properties.tenantId) !== keyOf(state.tenantId)) {
      throw new ApiError(400, "BadRequest", "An invalid value was provided for 'tenantId'.");
    }
    checkVaultProperties(body.properties, existing?.properties);
    checkPolicies(state, id, vaultType, { ...existing?.properties, ...body.properties });
    if (existing === undefined) checkNameIsFree(state, id, name);
  },
  storedProperties: ({ call, name, body, existing }) => {
    const { createMode, enableSoftDelete, ...own } = body.properties;
    // Azure names its defaults, but not to old versions, and not that of a retention next to `enableSoftDelete`.
    const namesDefaults = enableSoftDelete === undefined && versionOf(call.request) >= firstWithPublicNetworkAccess;
    return {
      ...(namesDefaults && { softDeleteRetentionInDays: defaultRetentionDays }),
      ...((namesDefaults || "networkAcls" in own) && { publicNetworkAccess: "Enabled" }),
      ...namedBefore(existing?.properties),
      accessPolicies: [],
      enabledForDeployment: false,
      // Purge protection stays, even if a later PUT omits it.
      ...(existing?.properties["enablePurgeProtection"] === true ? { enablePurgeProtection: true } : {}),
      ...own,
      // Whatever was sent: a vault without it has not been possible since 2020.
      enableSoftDelete: true,
      vaultUri: `https://${(existing?.name ?? name).toLowerCase()}.vault.azure.net/`,
    };
  },
  // An entry of the connections has an etag when its owner has written it.
  presentedProperties: (state, { id, properties }) => {
    const connections = childrenOf(state, id, "privateEndpointConnections");
    const entries = connections.map((one) => ({
      id: one.id,
      ...(one.etag !== undefined && { etag: one.etag }),
      properties: one.properties,
    }));
    return { ...properties, ...(entries.length > 0 && { privateEndpointConnections: entries }) };
  },
  patch: {
    properties: patchProperties,
    apply: ({ state }, { id, properties }, sent) => {
      checkVaultProperties(sent, properties);
      checkPolicies(state, id, vaultType, { ...properties, ...sent });
      return { ...sent, enableSoftDelete: true };
    },
  },
  // The first answer alone has no slash at the end.
  presentedByPut: ({ existing }, { properties, ...rest }) =>
    existing === undefined ? { ...rest, properties: withoutSlash(properties as Record<string, unknown>) } : { ...rest, properties },
  removeAtEnd: (moment, vault) => {
    softDelete(moment, vault);
    return undefined;
  },
});

/** What stays if a PUT omits it. */
function namedBefore({ softDeleteRetentionInDays, publicNetworkAccess }: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    ...(softDeleteRetentionInDays !== undefined && { softDeleteRetentionInDays }),
    ...(publicNetworkAccess !== undefined && { publicNetworkAccess }),
  };
}

function withoutSlash(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...properties, vaultUri: String(properties["vaultUri"]).replace(/\/$/, "") };
}

function checkName(name: string): void {
  if (vaultName.test(name)) return;
  throw new ApiError(
    400,
    "VaultNameNotValid",
    `The vault name '${name}' is invalid. A vault's name must be between 3-24 alphanumeric characters. The name must begin with a letter, end with a letter or digit, and not contain consecutive hyphens. Follow this link for more information: https://go.microsoft.com/fwlink/?linkid=2147742`,
  );
}

export function vaultNamed(state: AzureState, name: string): StoredResource | undefined {
  return resourceNamed(state, vaultType, name);
}

function checkNameIsFree(state: AzureState, id: string, name: string): void {
  const deleted = deletedVaultNamed(state, name);
  if (deleted !== undefined && sameId(String(deleted.properties["vaultId"]), id)) {
    throw new ApiError(
      409,
      "ConflictError",
      "A vault with the same name already exists in deleted state. You need to either recover or purge existing key vault. Follow this link https://go.microsoft.com/fwlink/?linkid=2149745 for more information on soft delete.",
    );
  }
  if (deleted === undefined && vaultNamed(state, name) === undefined) return;
  throw new ApiError(409, "VaultAlreadyExists", nameTaken(name));
}

function nameTaken(name: string): string {
  return (
    `The vault name '${name}' is already in use. Vault names are globally unique so it is possible that the name is already taken. ` +
    "If you are sure that the vault name was not taken then it is possible that a vault with the same name was recently deleted but not purged " +
    "after being placed in a recoverable state. If the vault is in a recoverable state then the vault will need to be purged before reusing the name. " +
    "For more information about VaultAlreadyExists, soft delete and purging a vault follow this link https://go.microsoft.com/fwlink/?linkid=2147740."
  );
}

/** Restores the vault as it was; ignores the rest of the body. */
function recover({ call, state, id, name }: Put<Body>): Answer {
  const { vault, keys } = recoverable(state, id) ?? {};
  if (vault === undefined) {
    throw new ApiError(
      400,
      "SoftDeletedVaultDoesNotExist",
      "A soft deleted vault with the given name does not exist. Ensure that the name for the vault that is being attempted to recover is in a recoverable state. For more information on soft delete please follow this link https://go.microsoft.com/fwlink/?linkid=2149745",
    );
  }
  delete state.resources[keyOf(deletedVaultNamed(state, name)?.id ?? "")];
  state.resources[keyOf(id)] = { ...vault, changedAt: call.now };
  for (const key of keys ?? []) state.resources[keyOf(key.id)] = key;
  const seconds = call.sample("keyVault.update");
  logOperation(state, { resource: id, verb: "PUT", seconds });
  return { status: 200, body: present(call, vault), takes: seconds };
}

/** The vault loses its role assignments for good, but keeps its content. */
function softDelete({ state, now }: Moment, vault: StoredResource): void {
  const subscriptionId = segmentsOf(vault.id)[1] ?? "";
  const keys = resourcesByScope.find(state.resources, keyOf(vault.id)).filter(({ id }) => !sameId(id, vault.id));
  removeTree(state, vault.id);
  keepDeleted(state, { vault, keys }, subscriptionId, now);
}

export const vaultNameEndpoint = nameAvailability(vaultType, vaultVersions, (state, name) => {
  if (!vaultName.test(name)) return { reason: "AccountNameInvalid", message: `The vault name '${name}' is invalid.` };
  if (vaultNamed(state, name) === undefined && deletedVaultNamed(state, name) === undefined) return undefined;
  return { reason: "AlreadyExists", message: nameTaken(name) };
});

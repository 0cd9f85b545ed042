/** What a storage account has besides its services: policies, encryption scopes, local users, private connections. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { known, oneOf } from "../../body-schema.js";
import { defineType, type Put, type ResourceBody, type ResourceType } from "../../resource-type.js";
import { requireProvisioned } from "./account-keys.js";
import { accountType, storageVersions } from "./account-body.js";
import { inventoryPolicy, managementPolicy, replicationPolicy } from "./management-policies.js";
import { parentResource } from "../../uses.js";
import { resourceNotFound } from "../../errors.js";
import { groupOf, nameOf, typeAndNamesOf } from "../../resource-id.js";

interface Part {
  readonly name: string;
  readonly since: string;
  readonly writable: z.ZodRawShape;
  readonly readOnly: readonly string[];
  readonly namePattern: RegExp;
  readonly nameRule: string;
  readonly createdStatus?: 200;
  readonly verbs: ResourceType["verbs"];
  readonly nameInAnswers?: string;
  readonly patch?: true;
  readonly check?: (put: Put<ResourceBody>) => void;
  readonly stored: (put: Put<ResourceBody>, sent: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

const written: ResourceType["verbs"] = ["read", "write", "delete"];

const onlyDefault = { namePattern: /^default$/, nameRule: "It must be 'default'." };

const timed = ({ call }: Put<ResourceBody>, sent: Readonly<Record<string, unknown>>) => ({
  ...sent,
  lastModifiedTime: new Date(call.now).toISOString(),
});

const managementPolicies: Part = {
  ...onlyDefault,
  name: "managementPolicies",
  since: "2018-11-01",
  writable: managementPolicy,
  readOnly: ["lastModifiedTime"],
  createdStatus: 200,
  verbs: written,
  nameInAnswers: "DefaultManagementPolicy",
  stored: timed,
};

const inventoryPolicies: Part = {
  ...onlyDefault,
  name: "inventoryPolicies",
  since: "2021-01-01",
  writable: inventoryPolicy,
  readOnly: ["lastModifiedTime"],
  createdStatus: 200,
  verbs: written,
  nameInAnswers: "DefaultInventoryPolicy",
  stored: timed,
};

const replicationPolicies: Part = {
  name: "objectReplicationPolicies",
  since: "2021-01-01",
  writable: replicationPolicy,
  readOnly: ["policyId", "enabledTime"],
  namePattern: /^[\w-]+$/,
  nameRule: "It must be 'default' or the ID of a policy.",
  createdStatus: 200,
  verbs: written,
  stored: ({ id }, sent) => ({ ...sent, policyId: nameOf(id) }),
};

const encryptionScopes: Part = {
  name: "encryptionScopes",
  since: "2021-01-01",
  writable: {
    source: oneOf("Microsoft.Storage", "Microsoft.KeyVault").optional(),
    state: oneOf("Enabled", "Disabled").optional(),
    keyVaultProperties: known({ keyUri: z.string().optional() }, ["currentVersionedKeyIdentifier", "lastKeyRotationTimestamp"]).optional(),
    requireInfrastructureEncryption: z.boolean().optional(),
  },
  readOnly: ["creationTime", "lastModifiedTime"],
  namePattern: /^[a-z0-9-]{3,63}$/i,
  nameRule: "It must have 3 to 63 letters, digits or hyphens.",
  verbs: ["read", "write", "tags"],
  patch: true,
  stored: (put, sent) => ({
    source: "Microsoft.Storage",
    state: "Enabled",
    creationTime: new Date(put.call.now).toISOString(),
    ...put.existing?.properties,
    ...timed(put, sent),
  }),
};

const localUsers: Part = {
  name: "localUsers",
  since: "2021-08-01",
  writable: {
    permissionScopes: z.array(known({ permissions: z.string(), service: z.string(), resourceName: z.string() })).optional(),
    homeDirectory: z.string().optional(),
    sshAuthorizedKeys: z.array(known({ description: z.string().optional(), key: z.string() })).optional(),
    hasSharedKey: z.boolean().optional(),
    hasSshKey: z.boolean().optional(),
    hasSshPassword: z.boolean().optional(),
    groupId: z.int().optional(),
    allowAclAuthorization: z.boolean().optional(),
    extendedGroups: z.array(z.int()).optional(),
    isNFSv3Enabled: z.boolean().optional(),
  },
  readOnly: ["sid", "userId"],
  namePattern: /^[a-z0-9]{3,64}$/,
  nameRule: "It must have 3 to 64 lower-case letters or digits.",
  createdStatus: 200,
  verbs: written,
  stored: ({ call, existing }, sent) => {
    const { sshAuthorizedKeys, ...own } = sent;
    const keys = Array.isArray(sshAuthorizedKeys) ? { sshAuthorizedKeys: sshAuthorizedKeys as unknown[], hasSshKey: true } : {};
    const users = Number.parseInt(call.uuid().slice(0, 6), 16);
    return { sid: `S-1-2-0-${String(users)}-1000`, hasSharedKey: true, ...existing?.properties, ...own, ...keys };
  },
};

/** Made by private endpoints only, then approved or rejected. */
const privateEndpointConnections: Part = {
  name: "privateEndpointConnections",
  since: "2019-06-01",
  writable: {
    privateEndpoint: z.looseObject({}).optional(),
    privateLinkServiceConnectionState: known({
      status: oneOf("Pending", "Approved", "Rejected").optional(),
      description: z.string().optional(),
      actionRequired: z.string().optional(),
    }),
  },
  readOnly: ["provisioningState"],
  namePattern: /./,
  nameRule: "",
  createdStatus: 200,
  verbs: written,
  check({ id, existing, body }) {
    if (existing === undefined) throw resourceNotFound(typeAndNamesOf(id), nameOf(groupOf(id) ?? ""));
    const status = stateIn(existing.properties)["status"];
    if (stateIn((body.properties ?? {}) as Record<string, unknown>)["status"] !== "Approved" || status === "Pending") return;
    throw new ApiError(
      400,
      "InvalidValuesForRequestParameters",
      "Values for request parameters are invalid: privateLinkServiceConnectionState.status.",
    );
  },
  stored: ({ existing }, sent) => ({
    ...existing?.properties,
    privateLinkServiceConnectionState: { description: "", actionRequired: "None", ...stateIn(sent) },
    provisioningState: "Succeeded",
  }),
};

function stateIn(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return (properties["privateLinkServiceConnectionState"] ?? {}) as Record<string, unknown>;
}

const parts = [managementPolicies, inventoryPolicies, replicationPolicies, encryptionScopes, localUsers, privateEndpointConnections];

export const accountParts: readonly ResourceType[] = parts.map(({ name, since, writable, readOnly, patch, check, stored, ...part }) =>
  defineType({
    ...part,
    name: `${accountType}/${name}`,
    apiVersions: storageVersions.filter((version) => version >= since),
    kind: "proxy",
    body: known({ properties: known(writable, readOnly).optional() }, ["id", "name", "type", "systemData"]),
    latency: { put: "storage.update", delete: "storage.update" },
    checkPut(put) {
      requireProvisioned(parentResource(put.state, put.id));
      check?.(put);
    },
    storedProperties: (put) => stored(put, (put.body.properties ?? {}) as Record<string, unknown>),
    ...(patch && { patchLikePut: true as const }),
  }),
);

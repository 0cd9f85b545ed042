/**
 * The members that this program and the SDKs rely on, by type of resource: every answer of the service has them. Members that only tell whether
 * a setting is right are not here.
 */
import { thumbprintIn } from "../domain/credential-secret.js";
import { agentPool, arcExtension, connectedCluster, kubeconfigs, kubernetesVersions, managedCluster } from "./cluster-members.js";
import { boolean, date, isMembers, list, number, object, optional, text, type Check } from "./members.js";

const name = text;
const texts = optional(list(text));
const parts = optional(list(object({ name })));
const references = optional(list(object({ id: text })));

/** A resource with these properties. */
function resource(properties: Readonly<Record<string, Check>> = {}, others: Readonly<Record<string, Check>> = {}): Check {
  return object({ name, ...others, properties: object({ provisioningState: optional(text), ...properties }) });
}

const deletedVault = resource({
  vaultId: text,
  location: text,
  deletionDate: optional(date),
  scheduledPurgeDate: optional(date),
  tags: optional(object()),
});

/** Of a key, and of a version of it. */
const vaultKey = {
  keyUri: optional(text),
  keyUriWithVersion: optional(text),
  keyOps: texts,
  attributes: optional(object({ enabled: optional(boolean), created: optional(number), exp: optional(number) })),
};

/** Of a record set of any type. */
const records = {
  ARecords: optional(list(object({ ipv4Address: text }))),
  NSRecords: optional(list(object({ nsdname: text }))),
  targetResource: optional(object({ id: optional(text) })),
};

const subnet = {
  addressPrefix: optional(text),
  addressPrefixes: texts,
  networkSecurityGroup: optional(object({ id: text })),
  serviceEndpoints: optional(list(object({ service: optional(text) }))),
};

/** Keys are types of Resource Manager in lower case; a group and an entry of the generic lists have no namespace. */
const resourceTypes: Readonly<Record<string, Check>> = {
  resourcegroups: object({ name, properties: optional(object({ provisioningState: optional(text) })) }),
  resources: object({ name, type: text }),
  providers: object({ registrationState: optional(text), resourceTypes: optional(list(object({ resourceType: text, locations: texts }))) }),
  "microsoft.authorization/roleassignments": resource({ principalId: text, roleDefinitionId: text, scope: text }),
  "microsoft.authorization/roledefinitions": resource({
    roleName: text,
    permissions: list(object({ actions: texts, notActions: texts, dataActions: texts, notDataActions: texts })),
  }),
  "microsoft.containerservice/locations/kubernetesversions": kubernetesVersions,
  "microsoft.containerservice/managedclusters": resource(managedCluster, { location: text }),
  "microsoft.containerservice/managedclusters/listclusterusercredential": kubeconfigs,
  "microsoft.containerservice/managedclusters/listclusteradmincredential": kubeconfigs,
  "microsoft.containerservice/managedclusters/agentpools": resource(agentPool),
  "microsoft.containerservice/managedclusters/maintenanceconfigurations": resource(),
  "microsoft.keyvault/vaults": resource(
    {
      tenantId: text,
      sku: object(),
      accessPolicies: optional(list(object({ permissions: object() }))),
      networkAcls: optional(object({ ipRules: optional(list(object({ value: text }))), virtualNetworkRules: references })),
      privateEndpointConnections: optional(list(object())),
    },
    { location: text },
  ),
  "microsoft.keyvault/deletedvaults": deletedVault,
  "microsoft.keyvault/locations/deletedvaults": deletedVault,
  "microsoft.keyvault/vaults/keys": resource(vaultKey),
  "microsoft.keyvault/vaults/keys/versions": resource(vaultKey),
  "microsoft.kubernetes/connectedclusters": resource(connectedCluster, {
    location: text,
    identity: optional(object({ type: optional(text), principalId: optional(text) })),
  }),
  "microsoft.kubernetesconfiguration/extensions": resource(arcExtension),
  "microsoft.managedidentity/userassignedidentities": resource({ clientId: text, principalId: text, tenantId: text }),
  "microsoft.managedidentity/userassignedidentities/federatedidentitycredentials": resource({
    issuer: text,
    subject: text,
    audiences: list(text),
  }),
  "microsoft.network/dnszones": resource({ nameServers: texts, zoneType: optional(text) }),
  "microsoft.network/dnszones/a": resource(records),
  "microsoft.network/dnszones/ns": resource(records),
  "microsoft.network/dnszones/all": resource(records),
  "microsoft.network/dnszones/recordsets": resource(records),
  "microsoft.network/loadbalancers": resource({
    frontendIPConfigurations: parts,
    backendAddressPools: parts,
    probes: parts,
    outboundRules: parts,
  }),
  "microsoft.network/natgateways": resource({ publicIpAddresses: references, subnets: references }),
  "microsoft.network/networkinterfaces": resource({ ipConfigurations: parts }),
  "microsoft.network/networksecuritygroups": resource({ securityRules: parts, subnets: references }),
  "microsoft.network/privatednszones": resource(),
  "microsoft.network/privatednszones/virtualnetworklinks": resource({ virtualNetwork: object({ id: text }) }),
  "microsoft.network/publicipaddresses": resource({
    publicIPAllocationMethod: text,
    ipAddress: optional(text),
    ipTags: optional(list(object({ ipTagType: optional(text), tag: optional(text) }))),
  }),
  "microsoft.network/virtualnetworks": resource({
    addressSpace: object({ addressPrefixes: texts }),
    subnets: optional(list(object({ name, properties: optional(object(subnet)) }))),
  }),
  "microsoft.network/virtualnetworks/subnets": resource(subnet),
  "microsoft.policyinsights/policystates/summarize": object({
    value: list(object({ policyAssignments: optional(list(object({ policyAssignmentId: text, results: optional(object()) }))) })),
  }),
  "microsoft.storage/storageaccounts": resource({}, { location: text }),
};

/** The member that a resource lacks; undefined for types that have no declaration. */
export function wrongMemberOf(type: string, body: unknown): string | undefined {
  return resourceTypes[type.toLowerCase()]?.(body);
}

const nullableText = optional(text);
const keyCredential = object({
  keyId: nullableText,
  key: nullableText,
  customKeyIdentifier: nullableText,
  startDateTime: date,
  endDateTime: date,
});

/** The members of Graph's objects, checked as far as they are selected. */
const directoryMembers: Readonly<Record<string, Check>> = {
  id: text,
  appId: text,
  displayName: text,
  uniqueName: nullableText,
  tags: list(text),
  keyCredentials: list(keyCredential),
  passwordCredentials: list(object({ keyId: nullableText, endDateTime: optional(date) })),
  deletedDateTime: date,
  accountEnabled: boolean,
  servicePrincipalType: text,
  appOwnerOrganizationId: nullableText,
};

/** `selected` are the members that the request selects; without it, Graph returns an object with all of them. */
export function wrongDirectoryMember(selected: readonly string[], body: unknown): string | undefined {
  return object(Object.fromEntries(selected.flatMap((each) => (directoryMembers[each] ? [[each, directoryMembers[each]]] : []))))(body);
}

const seconds = number;
const attributes = object({
  enabled: optional(boolean),
  created: seconds,
  updated: optional(seconds),
  nbf: optional(seconds),
  exp: optional(seconds),
});
const tags = optional(object());

/** A secret, a certificate or a version of it, also in lists. */
export const vaultItem: Check = object({ attributes, tags, contentType: nullableText, x5t: nullableText, recoveryId: nullableText });
export const vaultOperation: Check = object({ status: text });
const der: Check = (value) => (typeof value === "string" && thumbprintIn(Buffer.from(value, "base64")) !== undefined ? undefined : "");
const issued = object({ cer: der, attributes: object({ exp: seconds }), sid: text, policy: object() });

/** Until its first version is issued, a certificate has no content. */
export const certificate: Check = (value) => vaultItem(value) ?? (isMembers(value) && value["cer"] ? issued(value) : undefined);

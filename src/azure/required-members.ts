/** The members of responses that this program and the SDKs rely on, by type of resource. */
import { z } from "zod";
import { thumbprintIn } from "../domain/credential-secret.js";
import { agentPool, arcExtension, connectedCluster, kubeconfigs, kubernetesVersions, managedCluster } from "./cluster-members.js";

const text = z.string();
const name = text;
const word = text.nullish();
const boolean = z.boolean();
const seconds = z.number();
const date = text.refine((value) => !Number.isNaN(Date.parse(value)));
const any = z.object({});
const texts = z.array(text).nullish();
const parts = z.array(z.object({ name })).nullish();
const references = z.array(z.object({ id: text })).nullish();

/** A resource with these properties. */
function resource(properties: z.ZodRawShape = {}, others: z.ZodRawShape = {}): z.ZodType {
  return z.object({ name, ...others, properties: z.object({ provisioningState: word, ...properties }) });
}

const deletedVault = () =>
  resource({
    vaultId: text,
    location: text,
    deletionDate: date.nullish(),
    scheduledPurgeDate: date.nullish(),
    tags: any.nullish(),
  });

/** A key and a version of it have the same members. */
const vaultKey = () => ({
  keyUri: word,
  keyUriWithVersion: word,
  keyOps: texts,
  attributes: z.object({ enabled: boolean.nullish(), created: seconds.nullish(), exp: seconds.nullish() }).nullish(),
});

const records = () => ({
  ARecords: z.array(z.object({ ipv4Address: text })).nullish(),
  NSRecords: z.array(z.object({ nsdname: text })).nullish(),
  targetResource: z.object({ id: word }).nullish(),
});

const subnet = () => ({
  addressPrefix: word,
  addressPrefixes: texts,
  networkSecurityGroup: z.object({ id: text }).nullish(),
  serviceEndpoints: z.array(z.object({ service: word })).nullish(),
});

/**
 * Keys are types of Resource Manager in lower case; a group and an entry of the generic lists have no namespace. A schema is created when the
 * first response needs it: creating all of them takes 6 ms of CPU time, and a command needs ten.
 */
const resourceTypes: Readonly<Record<string, () => z.ZodType>> = {
  resourcegroups: () => z.object({ name, properties: z.object({ provisioningState: word }).nullish() }),
  resources: () => z.object({ name, type: text }),
  providers: () =>
    z.object({
      registrationState: word,
      resourceTypes: z.array(z.object({ resourceType: text, locations: texts })).nullish(),
    }),
  "microsoft.authorization/roleassignments": () => resource({ principalId: text, roleDefinitionId: text, scope: text }),
  "microsoft.authorization/roledefinitions": () =>
    resource({
      roleName: text,
      permissions: z.array(z.object({ actions: texts, notActions: texts, dataActions: texts, notDataActions: texts })),
    }),
  "microsoft.containerservice/locations/kubernetesversions": kubernetesVersions,
  "microsoft.containerservice/managedclusters": () => resource(managedCluster(), { location: text }),
  "microsoft.containerservice/managedclusters/listclusterusercredential": kubeconfigs,
  "microsoft.containerservice/managedclusters/listclusteradmincredential": kubeconfigs,
  "microsoft.containerservice/managedclusters/agentpools": () => resource(agentPool()),
  "microsoft.containerservice/managedclusters/maintenanceconfigurations": () => resource(),
  "microsoft.keyvault/vaults": () =>
    resource(
      {
        tenantId: text,
        sku: any,
        accessPolicies: z.array(z.object({ permissions: any })).nullish(),
        networkAcls: z.object({ ipRules: z.array(z.object({ value: text })).nullish(), virtualNetworkRules: references }).nullish(),
        privateEndpointConnections: z.array(any).nullish(),
      },
      { location: text },
    ),
  "microsoft.keyvault/deletedvaults": deletedVault,
  "microsoft.keyvault/locations/deletedvaults": deletedVault,
  "microsoft.keyvault/vaults/keys": () => resource(vaultKey()),
  "microsoft.keyvault/vaults/keys/versions": () => resource(vaultKey()),
  "microsoft.kubernetes/connectedclusters": () =>
    resource(connectedCluster(), {
      location: text,
      identity: z.object({ type: word, principalId: word }).nullish(),
    }),
  "microsoft.kubernetesconfiguration/extensions": () => resource(arcExtension()),
  "microsoft.managedidentity/userassignedidentities": () => resource({ clientId: text, principalId: text, tenantId: text }),
  "microsoft.managedidentity/userassignedidentities/federatedidentitycredentials": () =>
    resource({
      issuer: text,
      subject: text,
      audiences: z.array(text),
    }),
  "microsoft.network/dnszones": () => resource({ nameServers: texts, zoneType: word }),
  "microsoft.network/dnszones/a": () => resource(records()),
  "microsoft.network/dnszones/ns": () => resource(records()),
  "microsoft.network/dnszones/all": () => resource(records()),
  "microsoft.network/dnszones/recordsets": () => resource(records()),
  "microsoft.network/loadbalancers": () =>
    resource({
      frontendIPConfigurations: parts,
      backendAddressPools: parts,
      probes: parts,
      outboundRules: parts,
    }),
  "microsoft.network/natgateways": () => resource({ publicIpAddresses: references, subnets: references }),
  "microsoft.network/networkinterfaces": () => resource({ ipConfigurations: parts }),
  "microsoft.network/networksecuritygroups": () => resource({ securityRules: parts, subnets: references }),
  "microsoft.network/privatednszones": () => resource(),
  "microsoft.network/privatednszones/virtualnetworklinks": () => resource({ virtualNetwork: z.object({ id: text }) }),
  "microsoft.network/publicipaddresses": () =>
    resource({
      publicIPAllocationMethod: text,
      ipAddress: word,
      ipTags: z.array(z.object({ ipTagType: word, tag: word })).nullish(),
    }),
  "microsoft.network/virtualnetworks": () =>
    resource({
      addressSpace: z.object({ addressPrefixes: texts }),
      subnets: z.array(z.object({ name, properties: z.object(subnet()).nullish() })).nullish(),
    }),
  "microsoft.network/virtualnetworks/subnets": () => resource(subnet()),
  "microsoft.policyinsights/policystates/summarize": () =>
    z.object({
      value: z.array(z.object({ policyAssignments: z.array(z.object({ policyAssignmentId: text, results: any.nullish() })).nullish() })),
    }),
  "microsoft.storage/storageaccounts": () => resource({}, { location: text }),
};

const schemas = new Map<string, z.ZodType | undefined>();

/** Undefined for types that have no declaration. */
export function resourceSchema(type: string): z.ZodType | undefined {
  const key = type.toLowerCase();
  if (!schemas.has(key)) schemas.set(key, resourceTypes[key]?.());
  return schemas.get(key);
}

const keyCredential = z.object({
  keyId: word,
  key: word,
  customKeyIdentifier: word,
  startDateTime: date,
  endDateTime: date,
});

/** The members of Graph's objects, checked as far as they are selected. */
const directoryMembers: Readonly<Record<string, z.ZodType>> = {
  id: text,
  appId: text,
  displayName: text,
  uniqueName: word,
  tags: z.array(text),
  keyCredentials: z.array(keyCredential),
  passwordCredentials: z.array(z.object({ keyId: word, endDateTime: date.nullish() })),
  deletedDateTime: date,
  accountEnabled: boolean,
  servicePrincipalType: text,
  appOwnerOrganizationId: word,
};

/** `selected` are the members that the request selects; without it, Graph returns an object with all of them. */
export function directorySchema(selected: readonly string[]): z.ZodType {
  return z.object(Object.fromEntries(Object.entries(directoryMembers).filter(([member]) => selected.includes(member))));
}

const attributes = z.object({
  enabled: boolean.nullish(),
  created: seconds,
  updated: seconds.nullish(),
  nbf: seconds.nullish(),
  exp: seconds.nullish(),
});

/** A secret, a certificate or a version of it, also in lists. Until its first version is issued, a certificate has no content. */
export const vaultItem = z.object({ attributes, tags: any.nullish(), contentType: word, x5t: word, recoveryId: word });
export const vaultOperation = z.object({ status: text });

export const issuedCertificate = vaultItem.extend({
  cer: text.refine((value) => thumbprintIn(Buffer.from(value, "base64")) !== undefined),
  attributes: attributes.extend({ exp: seconds }),
  sid: text,
  policy: any,
});

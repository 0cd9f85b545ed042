/** An answer that lacks a member which the program relies on is not from Azure: it is neither a fault of ours nor a basis for a decision. */
import { createHttpHeaders, type PipelineRequest } from "@azure/core-rest-pipeline";
import { describe, expect, test } from "vitest";
import { clouds } from "../../src/azure/cloud.js";
import { responseValidationPolicy } from "../../src/azure/response-validation.js";
import { graphService, resourceManagerService, vaultService } from "../../src/azure/service.js";
import { newCertificate } from "../emulator/certificate.js";
import { answer, requestOf } from "./answers.js";

const arm = "https://management.azure.com";
const graph = "https://graph.microsoft.com/v1.0";
const vault = "https://v.vault.azure.net";
const subscription = "/subscriptions/s";
const group = `${subscription}/resourceGroups/g`;
const cer = newCertificate().key;

type Body = Readonly<Record<string, unknown>>;
type Row = readonly [address: string, body: Body, ...members: string[]];

const child = { id: `${group}/x`, name: "x" };
const one = (type: string, properties: Body, ...members: string[]): Row => [
  `${arm}${group}/providers/${type}/n`,
  { id: `${group}/providers/${type}/n`, name: "n", location: "eastus", properties },
  "name",
  "properties",
  ...members,
];

/** One line a case: an answer, and the members without which it is not Azure's. A list has its entry's. */
const resources: readonly Row[] = [
  [`${arm}${group}`, { id: group, name: "g", location: "eastus", properties: { provisioningState: "Succeeded" } }, "name"],
  [`${arm}${group}/resources`, { value: [{ ...child, type: "A.B/c" }] }, "value.0.name", "value.0.type"],
  one(
    "Microsoft.Authorization/roleAssignments",
    { principalId: "p", roleDefinitionId: "r", scope: "/" },
    "properties.principalId",
    "properties.roleDefinitionId",
    "properties.scope",
  ),
  one(
    "Microsoft.Authorization/roleDefinitions",
    { roleName: "r", permissions: [{ actions: ["a"] }] },
    "properties.roleName",
    "properties.permissions",
    "properties.permissions.0",
  ),
  one(
    "Microsoft.KeyVault/vaults",
    { tenantId: "t", sku: { name: "standard" }, accessPolicies: [{ permissions: {} }] },
    "location",
    "properties.tenantId",
    "properties.sku",
    "properties.accessPolicies.0.permissions",
  ),
  one("Microsoft.KeyVault/locations/l/deletedVaults", { vaultId: "v", location: "l" }, "properties.vaultId", "properties.location"),
  one("Microsoft.KeyVault/vaults/v/keys", { attributes: {} }),
  one(
    "Microsoft.ManagedIdentity/userAssignedIdentities",
    { clientId: "c", principalId: "p", tenantId: "t" },
    "properties.clientId",
    "properties.principalId",
    "properties.tenantId",
  ),
  one(
    "Microsoft.ManagedIdentity/userAssignedIdentities/i/federatedIdentityCredentials",
    { issuer: "i", subject: "s", audiences: ["a"] },
    "properties.issuer",
    "properties.subject",
    "properties.audiences",
    "properties.audiences.0",
  ),
  one("Microsoft.Network/dnsZones", { nameServers: ["ns"] }, "properties.nameServers.0"),
  one(
    "Microsoft.Network/loadBalancers",
    { probes: [child], outboundRules: [child] },
    "properties.probes.0",
    "properties.outboundRules.0.name",
  ),
  one("Microsoft.Network/natGateways", { publicIpAddresses: [child] }, "properties.publicIpAddresses.0.id"),
  one("Microsoft.Network/networkInterfaces", { ipConfigurations: [child] }, "properties.ipConfigurations.0"),
  one("Microsoft.Network/networkSecurityGroups", { securityRules: [child] }, "properties.securityRules.0.name"),
  one("Microsoft.Network/privateDnsZones", {}),
  one(
    "Microsoft.Network/privateDnsZones/z/virtualNetworkLinks",
    { virtualNetwork: { id: "v" } },
    "properties.virtualNetwork",
    "properties.virtualNetwork.id",
  ),
  one("Microsoft.Network/publicIPAddresses", { publicIPAllocationMethod: "Static" }, "properties.publicIPAllocationMethod"),
  one(
    "Microsoft.Network/virtualNetworks",
    { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets: [child] },
    "properties.addressSpace",
    "properties.subnets.0",
    "properties.subnets.0.name",
  ),
  one("Microsoft.Network/virtualNetworks/v/subnets", { addressPrefix: "10.0.0.0/24" }),
  one("Microsoft.Storage/storageAccounts", {}, "location"),
  [
    `${arm}${subscription}/providers/Microsoft.KeyVault/vaults`,
    { value: [{ ...child, location: "l", properties: { tenantId: "t", sku: {} } }] },
    "value.0.name",
    "value.0.properties",
    "value.0.properties.tenantId",
  ],
  [
    `${arm}${subscription}/providers/Microsoft.KeyVault/deletedVaults`,
    { value: [{ ...child, properties: { vaultId: "v", location: "l" } }] },
    "value.0.name",
    "value.0.properties",
  ],
  [
    `${arm}${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`,
    { value: [{ ...child, properties: { clientId: "c", principalId: "p", tenantId: "t" } }] },
    "value.0.properties.clientId",
  ],
  [
    `${arm}${subscription}/providers/Microsoft.Storage/operations/o?monitor=true`,
    { id: `${group}/providers/Microsoft.Storage/storageAccounts/a`, name: "a", location: "l", properties: {} },
    "properties",
  ],
];

const pool = {
  name: "p",
  availabilityZones: ["1"],
  nodeTaints: ["a=b:NoSchedule"],
  powerState: { code: "Running" },
  upgradeSettings: { maxSurge: "1" },
};
const addOn = { enabled: true, config: { rotationPollInterval: "2m" }, identity: { objectId: "o" } };
const gateways = { ingressGateways: [{ mode: "External", enabled: true }] };

/** What may be absent, but has a type: with another one, an SDK or this program fails. */
const optionals: readonly Row[] = [
  [
    `${arm}${subscription}/providers/Microsoft.Kubernetes`,
    {
      id: `${subscription}/providers/Microsoft.Kubernetes`,
      resourceTypes: [{ resourceType: "connectedClusters", locations: ["East US"] }],
    },
    ...["registrationState", "resourceTypes", "resourceTypes.0", "resourceTypes.0.locations", "resourceTypes.0.locations.0"],
  ],
  [
    `${arm}${subscription}/providers/Microsoft.ContainerService/locations/eastus/kubernetesVersions`,
    { values: [{ version: "1.33", capabilities: { supportPlan: ["x"] }, patchVersions: { "1.33.2": { upgrades: ["1.33.3"] } } }] },
    ...["values", "values.0", "values.0.version", "values.0.capabilities.supportPlan", "values.0.patchVersions"],
  ],
  one(
    "Microsoft.ContainerService/managedClusters",
    {
      agentPoolProfiles: [pool],
      addonProfiles: { azureKeyvaultSecretsProvider: addOn },
      networkProfile: { ipFamilies: ["IPv4"], loadBalancerProfile: { outboundIPs: { publicIPs: [child] }, effectiveOutboundIPs: [child] } },
      serviceMeshProfile: { istio: { revisions: ["asm-1-27"], components: gateways } },
    },
    ...["availabilityZones", "nodeTaints", "powerState.code", "upgradeSettings.maxSurge"].map(
      (one) => `properties.agentPoolProfiles.0.${one}`,
    ),
    ...["identity.objectId", "config.rotationPollInterval"].map((one) => `properties.addonProfiles.azureKeyvaultSecretsProvider.${one}`),
    ...["ipFamilies", "serviceCidrs", "loadBalancerProfile.effectiveOutboundIPs"].map((one) => `properties.networkProfile.${one}`),
    ...["properties.currentKubernetesVersion", "properties.networkProfile.loadBalancerProfile.outboundIPs.publicIPs"],
    ...["revisions", "components.ingressGateways"].map((one) => `properties.serviceMeshProfile.istio.${one}`),
  ),
  one("Microsoft.ContainerService/managedClusters/c/agentPools", pool, "properties.nodeTaints", "properties.count"),
  one(
    "Microsoft.Kubernetes/connectedClusters",
    { connectivityStatus: "Connected" },
    ...["connectivityStatus", "agentVersion", "lastConnectivityTime", "distribution", "provisioningState"].map(
      (one) => `properties.${one}`,
    ),
    "identity",
  ),
  one(
    "Microsoft.Kubernetes/connectedClusters/c/providers/Microsoft.KubernetesConfiguration/extensions",
    { extensionType: "x", configurationSettings: { a: "b" }, statuses: [{}] },
    ...["extensionType", "currentVersion", "scope", "configurationSettings.a", "statuses", "statuses.0"].map((one) => `properties.${one}`),
  ),
  one("Microsoft.KeyVault/vaults/v/keys", { attributes: {} }, "properties.keyOps", "properties.keyUriWithVersion"),
  one(
    "Microsoft.KeyVault/vaults/v/keys/k/versions",
    { attributes: {} },
    "properties",
    "properties.keyOps",
    "properties.attributes.created",
  ),
  one("Microsoft.Network/dnsZones/z/NS", { NSRecords: [{ nsdname: "n" }] }, "properties.NSRecords", "properties.NSRecords.0.nsdname"),
  one(
    "Microsoft.Network/dnsZones/z/A",
    { ARecords: [{ ipv4Address: "i" }] },
    "properties.ARecords.0.ipv4Address",
    "properties.targetResource",
  ),
  one(
    "Microsoft.Network/publicIPAddresses",
    { publicIPAllocationMethod: "Static", ipTags: [{}] },
    "properties.ipTags",
    "properties.ipTags.0",
  ),
  one(
    "Microsoft.Network/virtualNetworks",
    { addressSpace: { addressPrefixes: [] }, subnets: [{ ...child, properties: { serviceEndpoints: [{}], networkSecurityGroup: child } }] },
    ...["addressPrefix", "serviceEndpoints.0", "networkSecurityGroup.id"].map((one) => `properties.subnets.0.properties.${one}`),
  ),
  [
    `${graph}/applications/x?$select=id,passwordCredentials`,
    { id: "x", passwordCredentials: [{}] },
    "passwordCredentials",
    "passwordCredentials.0",
  ],
];

/** Results of requests without an effect. */
const asked: readonly Row[] = [
  [
    `${arm}${group}/providers/Microsoft.PolicyInsights/policyStates/latest/summarize`,
    { value: [{ policyAssignments: [] }] },
    "value.0",
    "value.0.policyAssignments",
  ],
  [
    `${arm}${group}/providers/Microsoft.ContainerService/managedClusters/c/listClusterUserCredential`,
    { kubeconfigs: [{ value: "eA==" }] },
    "kubeconfigs",
    "kubeconfigs.0.value",
  ],
];

const key = { keyId: "k", key: null, startDateTime: "2026-01-01T00:00:00Z", endDateTime: "2027-01-01T00:00:00Z" };
const application = { id: "x", appId: "a", displayName: "d", uniqueName: null, tags: ["t"], keyCredentials: [key] };
const principal = { id: "x", appId: "a", displayName: "d", accountEnabled: true, servicePrincipalType: "Application" };
const ofApplication = [
  "id",
  "appId",
  "displayName",
  "tags",
  "tags.0",
  "keyCredentials",
  "keyCredentials.0",
  "keyCredentials.0.endDateTime",
];
const selected = (members: Body) => `$select=${Object.keys(members).join(",")}`;

const directory: readonly Row[] = [
  [`${graph}/applications(uniqueName='x')?${selected(application)}`, application, ...ofApplication],
  [`${graph}/applications?${selected(application)}`, { value: [application] }, ...ofApplication.map((member) => `value.0.${member}`)],
  [`${graph}/applications/x?$select=id,keyCredentials`, { id: "x", keyCredentials: [] }, "keyCredentials"],
  [`${graph}/servicePrincipals(appId='a')?$select=id,appId`, { id: "x", appId: "a" }, "id", "appId"],
  [
    `${graph}/servicePrincipals?${selected(principal)}`,
    { value: [principal] },
    ...Object.keys(principal).map((member) => `value.0.${member}`),
  ],
  [
    `${graph}/directory/deletedItems/microsoft.graph.application?$select=id,appId,deletedDateTime`,
    { value: [{ id: "x", appId: "a", deletedDateTime: "2026-01-01T00:00:00Z" }] },
    "value.0.appId",
    "value.0.deletedDateTime",
  ],
];

const attributes = { enabled: true, created: 1, exp: 2 };
const policy = { secret_props: { contentType: "application/x-pem-file" } };
const contents: readonly Row[] = [
  [`${vault}/secrets/x`, { id: `${vault}/secrets/x/0`, value: "v", attributes }, "id", "value", "attributes", "attributes.created"],
  [`${vault}/secrets`, { value: [{ id: `${vault}/secrets/x`, attributes }] }, "value.0.id", "value.0.attributes"],
  [`${vault}/deletedsecrets/x`, { id: `${vault}/secrets/x/0`, attributes }, "attributes"],
  [
    `${vault}/certificates/x`,
    { id: `${vault}/certificates/x/0`, sid: `${vault}/secrets/x/0`, cer, attributes, policy },
    "sid",
    "attributes",
    "attributes.created",
    "attributes.exp",
    "policy",
  ],
  [`${vault}/certificates/x/versions`, { value: [{ id: `${vault}/certificates/x/0`, attributes }] }, "value.0.id", "value.0.attributes"],
  [`${vault}/certificates/x/pending`, { id: `${vault}/certificates/x/pending`, status: "inProgress" }, "status"],
];

const headers = createHttpHeaders({ "x-ms-request-id": "r", "request-id": "r", "content-type": "application/json" });
const services = [resourceManagerService(clouds.AzurePublicCloud), graphService(clouds.AzurePublicCloud), vaultService(vault)];

function received(request: PipelineRequest, body: unknown) {
  const service = services.find(({ accepts }) => accepts(new URL(request.url), request)) ?? expect.fail();
  const response = { ...answer(200, { body: JSON.stringify(body) }), request, headers };
  return responseValidationPolicy(service).sendRequest(request, () => Promise.resolve(response));
}

/** The value with another member at the path "value.0.properties". */
function withMember(value: unknown, path: readonly string[], member: unknown): unknown {
  const [name = "", ...rest] = path;
  const changed = (inner: unknown) => (rest.length === 0 ? member : withMember(inner, rest, member));
  if (Array.isArray(value)) return value.map((each: unknown, index) => (String(index) === name ? changed(each) : each));
  return { ...(value as Body), [name]: changed((value as Body)[name]) };
}

const typed = [
  ...optionals.map(([address, given, ...members]) => ({ method: "GET" as const, address, given, members })),
  ...asked.map(([address, given, ...members]) => ({ method: "POST" as const, address, given, members })),
];

describe.each(typed)("$method $address", ({ method, address, given, members }) => {
  test("is passed on", async () => {
    expect((await received(requestOf(method, address), given)).status).toBe(200);
  });

  test.each(members)("is not from Azure with another type of %s", async (member) => {
    await expect(received(requestOf(method, address), withMember(given, member.split("."), [5]))).rejects.toMatchObject({
      code: "ARO-NET-003",
    });
  });
});

const cases = [...resources, ...directory, ...contents].map(([address, given, ...members]) => ({ address, given, members }));

describe.each(cases)("$address", ({ address, given, members }) => {
  test("is passed on with all its members", async () => {
    expect((await received(requestOf("GET", address), given)).status).toBe(200);
  });

  test.each(members)("is not from Azure without %s", async (member) => {
    for (const wrong of [undefined, null, [5]])
      await expect(received(requestOf("GET", address), withMember(given, member.split("."), wrong)), String(wrong)).rejects.toMatchObject({
        code: "ARO-NET-003",
      });
  });
});

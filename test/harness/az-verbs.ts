/** The Azure CLI commands in the program's advice: their flags and requests. See https://learn.microsoft.com/cli/azure/reference-index. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expectedGroupDeletion } from "../../src/azure/expected-durations.js";
import { finish } from "../../src/azure/long-running.js";
import { parseResourceId, resourceGroupId, subscriptionScope } from "../../src/domain/resource-id.js";
import { apiVersionLookup } from "../../src/removal/azure-removals.js";
import type { Azure } from "../../src/azure/azure.js";
import { idIn, list, named, onlyQuery, type Listed, type One, type Verb, type Words } from "./az-verb.js";
import { azureRest, type Properties } from "./azure-rest.js";

const network = "2025-05-01";
const privateDns = "2024-06-01";
const publicDns = "2018-05-01";
const storage = "2025-01-01";
const identity = "2024-11-30";
const locks = "2016-09-01";
const authorization = "2022-04-01";
const tagsVersion = "2025-04-01";
export const aksVersion = "2025-07-01";

export const azVerbs: Readonly<Record<string, Verb>> = {
  rest: {
    usage: "--method --url",
    run: ({ azure }, one) => azureRest(azure).send(one("method"), one("url")),
  },
  "role assignment create": {
    usage: "--assignee-object-id --assignee-principal-type --role --scope [--name] [--description]",
    async run({ azure }, one) {
      const scope = one("scope");
      const home = subscriptionScope(azure.connection.subscriptionId);
      const role = await roleIdOf(azure, one("role"));
      const name = one("name") || randomUUID();
      await azureRest(azure).arm("PUT", `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`, authorization, {
        properties: {
          principalId: one("assignee-object-id"),
          principalType: one("assignee-principal-type"),
          roleDefinitionId: `${home}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
        },
      });
    },
  },
  "role assignment delete": removeByIds(authorization),
  "ad sp create": {
    usage: "--id",
    run: ({ azure }, one) => azureRest(azure).graph("POST", "/servicePrincipals", { appId: one("id") }),
  },
  "ad sp update": {
    usage: "--id --set",
    run({ azure }, one) {
      const [property = "", value = ""] = one("set").split("=");
      return azureRest(azure).graph("PATCH", `/servicePrincipals(appId='${one("id")}')`, { [property]: value === "true" });
    },
  },
  "ad app credential reset": {
    usage: "--id --cert [--append!]",
    async run({ azure }, one, words) {
      const pem = await readFile(one("cert").replace(/^@/, ""), "utf8");
      const path = `/applications(appId='${one("id")}')`;
      const { keyCredentials } = await azureRest(azure).graph("GET", `${path}?$select=keyCredentials`);
      const key = { type: "AsymmetricX509Cert", usage: "Verify", key: pem.replace(/-----[A-Z ]+-----|\s/g, "") };
      const kept = words["append"] === undefined ? [] : (keyCredentials as Properties[]);
      await azureRest(azure).graph("PATCH", path, { keyCredentials: [...kept, key] });
    },
  },
  "identity list": {
    usage: "[--query]",
    async run({ azure }, one) {
      onlyQuery(one, "[].{name:name,clientId:clientId}");
      const listed = await list(azure, "Microsoft.ManagedIdentity/userAssignedIdentities", identity);
      return listed.map(({ name, properties }) => ({ name, clientId: properties["clientId"] }));
    },
  },
  "identity federated-credential create": federatedCredential(),
  "identity federated-credential update": federatedCredential(),
  "identity federated-credential delete": {
    usage: "--name --identity-name --resource-group --yes!",
    run({ azure }, one) {
      const owner = idIn(azure, one("resource-group"), `Microsoft.ManagedIdentity/userAssignedIdentities/${one("identity-name")}`);
      return azureRest(azure).arm("DELETE", `${owner}/federatedIdentityCredentials/${one("name")}`, identity);
    },
  },
  "storage account update": {
    usage: "--name [--allow-blob-public-access] [--allow-shared-key-access]",
    async run({ azure }, one, words) {
      const { id } = await named(azure, "Microsoft.Storage/storageAccounts", storage, one("name"));
      const flags = { "allow-blob-public-access": "allowBlobPublicAccess", "allow-shared-key-access": "allowSharedKeyAccess" } as const;
      const given = Object.entries(flags).flatMap(([flag, property]) =>
        words[flag] === undefined ? [] : [[property, one(flag) === "true"]],
      );
      await azureRest(azure).arm("PATCH", id, storage, { properties: Object.fromEntries(given) as Properties });
    },
  },
  "lock delete": removeByIds(locks),
  "group create": {
    usage: "--name --location --tags*",
    run: ({ azure }, one, { tags }) =>
      azureRest(azure).arm("PUT", resourceGroupId(azure.connection.subscriptionId, one("name")), tagsVersion, {
        location: one("location"),
        tags: tagsIn(tags),
      }),
  },
  "group delete": {
    // With --yes, a pasted command would delete the group without a question; without --subscription, one of another subscription.
    usage: "--name --subscription",
    async run({ azure }, one) {
      const { resourceGroups } = await azure.resources(one("subscription"));
      await finish(azure, expectedGroupDeletion([]), (options) => resourceGroups.beginDelete(one("name"), options));
    },
  },
  "resource delete": {
    usage: "--ids*",
    async run({ azure }, _one, { ids = [] }) {
      const versions = apiVersionLookup(azure);
      for (const id of ids) await azureRest(azure).arm("DELETE", id, await versions(parseResourceId(id).type));
    },
  },
  "tag update": {
    usage: "--resource-id --operation --tags*",
    async run({ azure }, one, { tags }) {
      const body = { operation: one("operation"), properties: { tags: tagsIn(tags) } };
      await azureRest(azure).arm("PATCH", `${one("resource-id")}/providers/Microsoft.Resources/tags/default`, tagsVersion, body);
    },
  },
  "network private-dns link vnet delete": { ...removeByIds(privateDns), usage: "--ids* --yes!" },
  "network dns zone create": {
    usage: "--name --resource-group [--tags*]",
    run: ({ azure }, one, { tags }) =>
      azureRest(azure).arm("PUT", idIn(azure, one("resource-group"), `Microsoft.Network/dnszones/${one("name")}`), publicDns, {
        location: "global",
        tags: tagsIn(tags),
        properties: {},
      }),
  },
  "network dns record-set ns add-record": nameServers((servers, server) => [...servers, server]),
  "network dns record-set ns remove-record": nameServers((servers, server) => servers.filter((one) => one !== server)),
  "network vnet subnet update": {
    usage: "--ids [--network-security-group] [--nat-gateway] [--route-table] [--remove]",
    run: ({ azure }, one) =>
      rewrite(azure, one("ids"), ({ [one("remove")]: _, ...properties }) => ({
        ...properties,
        ...(one("network-security-group") && { networkSecurityGroup: { id: one("network-security-group") } }),
        ...(one("nat-gateway") && { natGateway: { id: one("nat-gateway") } }),
        ...(one("route-table") && { routeTable: { id: one("route-table") } }),
      })),
  },
  "network vnet update": rewritten(),
  "network nsg update": rewritten(),
  "network public-ip update": rewritten(),
  "network lb update": rewritten(),
  "network vnet peering sync": {
    usage: "--ids",
    async run({ azure }, one) {
      const { arm, send } = azureRest(azure);
      const url = `${azure.connection.cloud.resourceManager}${one("ids")}?api-version=${network}&syncRemoteAddressSpace=true`;
      await send("PUT", url, await arm("GET", one("ids"), network));
    },
  },
  "network vnet peering delete": {
    usage: "--ids",
    run: ({ azure }, one) => azureRest(azure).arm("DELETE", one("ids"), network),
  },
  "aks enable-addons": {
    usage: "--resource-group --name --addons [--enable-secret-rotation!] [--rotation-poll-interval]",
    async run({ azure }, one, words) {
      if (one("addons") !== "azure-keyvault-secrets-provider") throw new Error(`no test enables ${one("addons")}`);
      await updateCluster(azure, one, words, { enabled: true });
    },
  },
  "aks disable-addons": {
    usage: "--resource-group --name --addons",
    async run({ azure }, one, words) {
      if (one("addons") !== "azure-keyvault-secrets-provider") throw new Error(`no test disables ${one("addons")}`);
      await updateCluster(azure, one, words, { enabled: false });
    },
  },
  "aks update": {
    usage:
      "--resource-group --name [--enable-secret-rotation!] [--rotation-poll-interval] [--load-balancer-outbound-ports] [--assign-kubelet-identity] [--yes!]",
    run: ({ azure }, one, words) => (one("load-balancer-outbound-ports") ? setPorts(azure, one) : updateCluster(azure, one, words, {})),
  },
  "aks start": {
    usage: "--resource-group --name",
    run: async ({ azure }, one) => (await azure.clusters()).managedClusters.start(one("resource-group"), one("name")),
  },
  "network nsg rule delete": {
    usage: "--resource-group --nsg-name --name",
    async run({ azure }, one) {
      const { securityRules } = await azure.network();
      await securityRules.beginDeleteAndWait(one("resource-group"), one("nsg-name"), one("name"));
    },
  },
  "network route-table route delete": {
    usage: "--resource-group --route-table-name --name",
    async run({ azure }, one) {
      const table = `Microsoft.Network/routeTables/${one("route-table-name")}`;
      await azureRest(azure).arm("DELETE", `${idIn(azure, one("resource-group"), table)}/routes/${one("name")}`, "2025-05-01");
    },
  },
  login: { usage: "[--tenant]", run: () => Promise.reject(new Error("tests cannot sign in")) },
};

/** Writes the cluster as it is, with other ports for each node. */
async function setPorts(azure: Azure, one: One): Promise<void> {
  const { managedClusters } = await azure.clusters();
  const [group, name] = [one("resource-group"), one("name")] as const;
  const live = await managedClusters.get(group, name);
  const { effectiveOutboundIPs: _effective, ...profile } = live.networkProfile?.loadBalancerProfile ?? {};
  const loadBalancerProfile = { ...profile, allocatedOutboundPorts: Number(one("load-balancer-outbound-ports")) };
  await managedClusters.createOrUpdate(group, name, { ...live, networkProfile: { ...live.networkProfile, loadBalancerProfile } });
}

/** Reads the cluster, changes it as the flags say, and writes all of its writable properties. */
async function updateCluster(azure: Azure, one: One, words: Words, change: object): Promise<void> {
  const { arm } = azureRest(azure);
  const id = idIn(azure, one("resource-group"), `Microsoft.ContainerService/managedClusters/${one("name")}`);
  const {
    location,
    identity: { type },
    properties,
  } = (await arm("GET", id, aksVersion)) as unknown as ManagedCluster;
  const { dnsPrefix, agentPoolProfiles, addonProfiles } = properties;
  const { config, enabled } = addonProfiles?.azureKeyvaultSecretsProvider ?? { enabled: false };
  const set = {
    ...config,
    ...(words["enable-secret-rotation"] && { enableSecretRotation: "true" }),
    ...(one("rotation-poll-interval") && { rotationPollInterval: one("rotation-poll-interval") }),
  };
  await arm("PUT", id, aksVersion, {
    location,
    identity: { type },
    properties: {
      dnsPrefix,
      agentPoolProfiles: agentPoolProfiles.map(({ name, count, mode }) => ({ name, count, mode })),
      addonProfiles: { azureKeyvaultSecretsProvider: { enabled, config: set, ...change } },
    },
  });
}

interface ManagedCluster {
  readonly location: string;
  readonly identity: { readonly type: string };
  readonly properties: {
    readonly dnsPrefix: string;
    readonly agentPoolProfiles: readonly { readonly name: string; readonly count: number; readonly mode: string }[];
    readonly addonProfiles?: { readonly azureKeyvaultSecretsProvider?: { readonly enabled: boolean; readonly config?: object | null } };
  };
}

function removeByIds(version: string): Verb {
  return {
    usage: "--ids*",
    async run({ azure }, _one, { ids = [] }) {
      for (const id of ids) await azureRest(azure).arm("DELETE", id, version);
    },
  };
}

function rewritten(): Verb {
  return { usage: "--ids", run: ({ azure }, one) => rewrite(azure, one("ids"), (properties) => properties) };
}

/** Reads and rewrites the resource, as every `update` of az does. */
async function rewrite(azure: Azure, id: string, change: (properties: Properties) => Properties): Promise<void> {
  const { arm } = azureRest(azure);
  const live = await arm("GET", id, network);
  await arm("PUT", id, network, { ...live, properties: change(live["properties"] as Properties) });
}

function federatedCredential(): Verb {
  return {
    usage: "--name --identity-name --resource-group --issuer --subject --audiences*",
    run({ azure }, one, { audiences = [] }) {
      const owner = idIn(azure, one("resource-group"), `Microsoft.ManagedIdentity/userAssignedIdentities/${one("identity-name")}`);
      const properties = { issuer: one("issuer"), subject: one("subject"), audiences };
      return azureRest(azure).arm("PUT", `${owner}/federatedIdentityCredentials/${one("name")}`, identity, { properties });
    },
  };
}

function nameServers(change: (servers: readonly string[], server: string) => string[]): Verb {
  return {
    usage: "--resource-group --zone-name --record-set-name --nsdname",
    async run({ azure }, one) {
      const id = idIn(azure, one("resource-group"), `Microsoft.Network/dnszones/${one("zone-name")}/NS/${one("record-set-name")}`);
      const { arm } = azureRest(azure);
      const live = await arm("GET", id, publicDns).catch(() => undefined);
      const { NSRecords = [], TTL = 3600 } = (live?.["properties"] ?? {}) as { NSRecords?: { nsdname: string }[]; TTL?: number };
      const servers = change(
        NSRecords.map(({ nsdname }) => nsdname),
        one("nsdname"),
      );
      // As `az` does without --keep-empty-record-set.
      if (servers.length === 0) await arm("DELETE", id, publicDns);
      else await arm("PUT", id, publicDns, { properties: { TTL, NSRecords: servers.map((nsdname) => ({ nsdname })) } });
    },
  };
}

/** The ID of a role, given by ID or name, as in `az`. */
async function roleIdOf(azure: Azure, role: string): Promise<string> {
  if (/^[0-9a-f-]{36}$/.test(role)) return role;
  const definitions = `${subscriptionScope(azure.connection.subscriptionId)}/providers/Microsoft.Authorization/roleDefinitions`;
  const { value } = await azureRest(azure).arm("GET", definitions, authorization);
  const found = (value as Listed[]).find(({ properties }) => properties["roleName"] === role);
  if (found === undefined) throw new Error(`role ${role} not found`);
  return found.name;
}

function tagsIn(words: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(words.map((word) => word.split("=") as [string, string]));
}

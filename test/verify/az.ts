/** Does what an `az` command of an advice says, as far as advices name such: the command is taken apart, and its words are what is sent. */
import { randomUUID } from "node:crypto";
import { createDefaultHttpClient, createHttpHeaders, createPipelineRequest } from "@azure/core-rest-pipeline";
import { all } from "../../src/azure/pages.js";
import type { Azure } from "../../src/azure/azure.js";
import { parseResourceId, subscriptionScope } from "../../src/infra/resource-id.js";

type Words = Readonly<Record<string, string>>;

const commands: Readonly<Record<string, (azure: Azure, words: Words) => Promise<unknown>>> = {
  async "role assignment create"(azure, words) {
    const {
      "assignee-object-id": principalId = "",
      "assignee-principal-type": principalType = "",
      role,
      scope = "",
      name = randomUUID(),
    } = words;
    const { subscriptionId } = parseResourceId(scope);
    const roleDefinitionId = `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/roleDefinitions/${role ?? ""}`;
    const { roleAssignments } = await azure.authorization(subscriptionId);
    return roleAssignments.create(scope, name, { principalId, principalType, roleDefinitionId });
  },
  async "role assignment delete"(azure, { ids = "" }) {
    const { roleAssignments } = await azure.authorization();
    for (const id of ids.split(" ")) await roleAssignments.deleteById(id);
  },
  "ad sp create": async (azure, { id = "" }) => (await azure.directory()).upsertServicePrincipal(id),
  async "ad sp update"(azure, { id = "", set = "" }) {
    const [property = "", value = ""] = set.split("=");
    await send(azure, "PATCH", `${azure.connection.cloud.graph}/v1.0/servicePrincipals(appId='${id}')`, { [property]: value === "true" });
  },
  rest: (azure, { method = "", url = "" }) => send(azure, method, url, {}),
  "aks enable-addons": (azure, { addons, ...words }) => {
    if (addons !== "azure-keyvault-secrets-provider") throw new Error(`no test enables ${addons ?? ""}`);
    return updateCluster(azure, words, { enabled: true });
  },
  "aks update": (azure, words) => updateCluster(azure, words, {}),
  "identity federated-credential create": federate,
  "identity federated-credential update": federate,
  async "storage account update"(azure, { name = "", "allow-blob-public-access": allowed }) {
    const { storageAccounts } = await azure.storage();
    const account = (await all(storageAccounts.list())).find((one) => one.name === name);
    const { minimumTlsVersion = "TLS1_2", allowSharedKeyAccess = false } = account ?? {};
    // The SDK sends no properties at all where it is given only this one.
    const settings = { allowBlobPublicAccess: allowed === "true", minimumTlsVersion, allowSharedKeyAccess };
    await storageAccounts.update(parseResourceId(account?.id ?? "").resourceGroup ?? "", name, settings);
  },
};

/** Throws where the command is none of those, and what Azure refuses. */
export async function az(azure: Azure, command: string): Promise<void> {
  const [, name = "", flags = ""] = /^az (.+?) (--.*)$/.exec(command) ?? [];
  const run = commands[name];
  if (run === undefined) throw new Error(`no test does "${command}"`);
  await run(azure, wordsIn(flags));
}

/** `--ids a b --name c`: several values stay one text. */
function wordsIn(flags: string): Words {
  return Object.fromEntries(
    flags.split(/(?:^| )--/).flatMap((part) => {
      const [name = "", ...values] = part.trim().split(" ");
      return name === "" ? [] : [[name, values.join(" ")]];
    }),
  );
}

async function federate(azure: Azure, words: Words): Promise<void> {
  const { name = "", "identity-name": identity = "", "resource-group": group = "", issuer = "", subject = "", audiences = "" } = words;
  const { federatedIdentityCredentials } = await azure.identities();
  await federatedIdentityCredentials.createOrUpdate(group, identity, name, { issuer, subject, audiences: audiences.split(" ") });
}

/** As the az CLI does: reads the cluster, changes what the flags say, and writes all of it back that can be written. */
async function updateCluster(azure: Azure, words: Words, change: object): Promise<void> {
  const { "resource-group": group = "", name = "", "enable-secret-rotation": rotate, "rotation-poll-interval": interval } = words;
  const { cloud, subscriptionId } = azure.connection;
  const path = `${subscriptionScope(subscriptionId)}/resourceGroups/${group}/providers/Microsoft.ContainerService/managedClusters/${name}`;
  const { body } = await (await azure.manager()).get(path, aksVersion, (answered) => answered as ManagedCluster);
  const { dnsPrefix, agentPoolProfiles, addonProfiles } = body.properties;
  const { config, enabled } = addonProfiles?.azureKeyvaultSecretsProvider ?? { enabled: false };
  const set = {
    ...config,
    ...(rotate === undefined ? {} : { enableSecretRotation: "true" }),
    ...(interval === undefined ? {} : { rotationPollInterval: interval }),
  };
  await send(azure, "PUT", `${cloud.resourceManager}${path}?api-version=${aksVersion}`, {
    location: body.location,
    identity: { type: body.identity.type },
    properties: {
      dnsPrefix,
      agentPoolProfiles: agentPoolProfiles.map(({ name: pool, count, mode }) => ({ name: pool, count, mode })),
      addonProfiles: { azureKeyvaultSecretsProvider: { enabled, config: set, ...change } },
    },
  });
}

export const aksVersion = "2025-07-01";

interface ManagedCluster {
  readonly location: string;
  readonly identity: { readonly type: string };
  readonly properties: {
    readonly dnsPrefix: string;
    readonly agentPoolProfiles: readonly { readonly name: string; readonly count: number; readonly mode: string }[];
    readonly addonProfiles?: { readonly azureKeyvaultSecretsProvider?: { readonly enabled: boolean; readonly config?: object | null } };
  };
}

export async function send({ connection }: Azure, method: string, url: string, body: object): Promise<void> {
  const { graph, resourceManager } = connection.cloud;
  const token = await connection.credential.getToken(`${url.startsWith(resourceManager) ? resourceManager : graph}/.default`);
  const request = createPipelineRequest({
    url,
    method: method as "POST" | "PATCH" | "PUT",
    headers: createHttpHeaders({ authorization: `Bearer ${token?.token ?? ""}`, "content-type": "application/json" }),
    body: JSON.stringify(body),
  });
  if (connection.agent) request.agent = connection.agent;
  const { status, bodyAsText } = await createDefaultHttpClient().sendRequest(request);
  if (status >= 300) throw new Error(`${method} ${url} is answered ${String(status)}: ${bodyAsText ?? ""}`);
}

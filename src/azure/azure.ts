/** The official SDK clients, each created on first use, on one pipeline with one retry policy, sign-in and clock. */
import type { KeyClient } from "@azure/keyvault-keys";
import type { Pipeline, PipelineRequest } from "@azure/core-rest-pipeline";
import type { PublicResponse, PublicReading } from "./anonymous.js";
import type { SubscriptionResponse } from "./arm-responses.js";
import type { AccountKey, BlobStore } from "./blob-store.js";
import type { Connection } from "./connection.js";
import type { Directory } from "./directory.js";
import type { ManagedHsm } from "./managed-hsm.js";
import { oncePerKey } from "./concurrency.js";
import type { ArmResponse, ResourceManager } from "./resource-manager.js";
import type {
  AksClient,
  ArcExtensionClient,
  AuthorizationClient,
  DnsClient,
  IdentityClient,
  KeyVaultClient,
  NetworkClient,
  PrivateDnsClient,
  ResourcesClient,
  StorageClient,
} from "./sdk-operations.js";
import { arcConfigurationService, graphService, resourceManagerService } from "./service.js";
import type { VaultContent } from "./vault-content.js";

/** `date` is the time of the response by Azure's clock, the others are milliseconds of `connection.clock.elapsedMs`. */
export interface SubscriptionRead extends ArmResponse<SubscriptionResponse> {
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** Azure as the steps see it. Clients use the connection's subscription unless another is specified: existing resources can be elsewhere. */
export interface Azure {
  readonly connection: Connection;
  resources(subscriptionId?: string): Promise<ResourcesClient>;
  network(subscriptionId?: string): Promise<NetworkClient>;
  privateDns(): Promise<PrivateDnsClient>;
  dns(): Promise<DnsClient>;
  authorization(subscriptionId?: string): Promise<AuthorizationClient>;
  directory(): Promise<Directory>;
  storage(): Promise<StorageClient>;
  /** Signs in with Azure RBAC, or with the key of one account. */
  blobs(key?: AccountKey): Promise<BlobStore>;
  vaults(subscriptionId?: string): Promise<KeyVaultClient>;
  vaultContent(vaultName: string): Promise<VaultContent>;
  /** Keys of a vault: few commands use them, so their client is imported alone. */
  vaultKeys(vaultName: string, retries?: { readonly brief: boolean }): Promise<KeyClient>;
  managedHsm(name: string, retries?: { readonly brief: boolean }): Promise<ManagedHsm>;
  identities(subscriptionId?: string): Promise<IdentityClient>;
  clusters(): Promise<AksClient>;
  /** Extensions of connected clusters. Connected clusters have no current client, so `resources` reads and writes them. */
  arcExtensions(): Promise<ArcExtensionClient>;
  /** The chart of the newest agents of Azure Arc in a region: `mcr.microsoft.com/.../azure-arc-k8sagents:1.2.3`. */
  arcAgentChart(location: string): Promise<string>;
  /** Resource Manager by path. */
  manager(): Promise<ResourceManager>;
  /** The connection's subscription: one request, whoever asks for it. */
  subscription(): Promise<SubscriptionRead>;
  /** Reads public URLs without signing in. */
  published(url: string, reading?: PublicReading): Promise<PublicResponse>;
}

/** Each SDK takes 80 to 300 ms to import, so the first step that needs it imports it, while other steps wait for the network. */
export function openAzure(connection: Connection): Azure {
  const { cloud, credential, subscriptionId: home } = connection;
  const manager = resourceManagerService(cloud);
  const clients = oncePerKey<unknown>();
  // Each key identifies one kind of client.
  const once = <T>(key: string, make: () => Promise<T>) => clients.get(key, make) as Promise<T>;
  const arranged = async <T extends { pipeline: Pipeline }>(
    client: T,
    { service = manager, scope = cloud.resourceManagerScope, registers = true } = {},
  ): Promise<T> => {
    const { arrangePipeline } = await import("./pipeline.js");
    arrangePipeline(client.pipeline, connection, { service, scope, register: registers ? register : () => Promise.resolve(false) });
    return client;
  };
  const register = async (request: PipelineRequest): Promise<boolean> => {
    const { providerRegistration } = await import("./provider-registration.js");
    const registration = await once("registration", async () => providerRegistration(connection, azure.resources));
    return registration(request);
  };
  const userAgentOptions = { userAgentPrefix: connection.userAgent };
  const options = {
    endpoint: cloud.resourceManager,
    credentialScopes: cloud.resourceManagerScope,
    userAgentOptions,
  };

  const azure: Azure = {
    connection,
    resources: (subscriptionId = home) =>
      once(`resources ${subscriptionId}`, async () => {
        const { ResourceManagementClient } = await import("@azure/arm-resources");
        return arranged(new ResourceManagementClient(credential, subscriptionId, options));
      }),
    network: (subscriptionId = home) =>
      once(`network ${subscriptionId}`, async () => {
        const { NetworkManagementClient } = await import("@azure/arm-network");
        return arranged(new NetworkManagementClient(credential, subscriptionId, options));
      }),
    privateDns: () =>
      once("private DNS", async () => {
        const { PrivateDnsManagementClient } = await import("@azure/arm-privatedns");
        return arranged(new PrivateDnsManagementClient(credential, home, options));
      }),
    dns: () =>
      once("DNS", async () => {
        const { DnsManagementClient } = await import("@azure/arm-dns");
        return arranged(new DnsManagementClient(credential, home, options));
      }),
    authorization: (subscriptionId = home) =>
      once(`authorization ${subscriptionId}`, async () => {
        const { AuthorizationManagementClient } = await import("@azure/arm-authorization");
        return arranged(new AuthorizationManagementClient(credential, subscriptionId, options));
      }),
    storage: () =>
      once("storage", async () => {
        const { StorageManagementClient } = await import("@azure/arm-storage");
        return arranged(new StorageManagementClient(credential, home, options));
      }),
    async blobs(key) {
      const { blobStore } = await import("./blob-store.js");
      return blobStore(connection, key);
    },
    vaults: (subscriptionId = home) =>
      once(`vaults ${subscriptionId}`, async () => {
        const { KeyVaultManagementClient } = await import("@azure/arm-keyvault");
        return arranged(new KeyVaultManagementClient(credential, subscriptionId, options));
      }),
    vaultContent: (vaultName) =>
      once(`vault ${vaultName}`, async () => {
        const { vaultContent } = await import("./vault-content.js");
        return vaultContent(connection, vaultName);
      }),
    vaultKeys: (vaultName, { brief } = { brief: false }) =>
      once(`keys of vault ${vaultName}${brief ? ", briefly" : ""}`, async () => {
        const { vaultKeys } = await import("./vault-keys.js");
        return vaultKeys(connection, vaultName, { brief });
      }),
    managedHsm: (name, { brief } = { brief: false }) =>
      once(`managed HSM ${name}${brief ? ", briefly" : ""}`, async () => {
        const { managedHsm } = await import("./managed-hsm.js");
        return managedHsm(connection, name, { brief });
      }),
    identities: (subscriptionId = home) =>
      once(`identities ${subscriptionId}`, async () => {
        const { ManagedServiceIdentityClient } = await import("@azure/arm-msi");
        return arranged(new ManagedServiceIdentityClient(credential, subscriptionId, options));
      }),
    clusters: () =>
      once("clusters", async () => {
        const { ContainerServiceClient } = await import("@azure/arm-containerservice");
        return arranged(new ContainerServiceClient(credential, home, options));
      }),
    arcExtensions: () =>
      once("Arc extensions", async () => {
        const { SourceControlConfigurationClient } = await import("@azure/arm-kubernetesconfiguration");
        return arranged(new SourceControlConfigurationClient(credential, home, options));
      }),
    async arcAgentChart(location) {
      const { createDefaultHttpClient, createPipelineFromOptions } = await import("@azure/core-rest-pipeline");
      const { agentChart, configurationUrl } = await import("./arc-configuration.js");
      const url = configurationUrl(cloud, location);
      const service = arcConfigurationService(url);
      const { pipeline } = await arranged({ pipeline: createPipelineFromOptions({ userAgentOptions }) }, { service, registers: false });
      const httpClient = createDefaultHttpClient();
      return agentChart(url, (request) => pipeline.sendRequest(httpClient, request));
    },
    published: async (url, reading = {}) => {
      const key = `published ${JSON.stringify(reading)}`;
      const read = await once(key, async () => (await import("./anonymous.js")).anonymousReader(connection, reading));
      return read(url, connection.userAgent);
    },
    manager: () =>
      once("manager", async () => {
        const { createDefaultHttpClient, createPipelineFromOptions } = await import("@azure/core-rest-pipeline");
        const { resourceManager } = await import("./resource-manager.js");
        // Calls by path only read, and a read must not register a provider.
        const { pipeline } = await arranged({ pipeline: createPipelineFromOptions({ userAgentOptions }) }, { registers: false });
        const httpClient = createDefaultHttpClient();
        return resourceManager(cloud.resourceManager, (request) => pipeline.sendRequest(httpClient, request));
      }),
    subscription: () =>
      once("subscription", async () => {
        const { subscriptionResponse } = await import("./arm-responses.js");
        const client = await azure.manager();
        const sentMs = connection.clock.elapsedMs();
        const response = await client.get(`/subscriptions/${home}`, "2022-12-01", subscriptionResponse);
        return { ...response, sentMs, receivedMs: connection.clock.elapsedMs() };
      }),
    directory: () =>
      once("directory", async () => {
        const { createDefaultHttpClient, createPipelineFromOptions } = await import("@azure/core-rest-pipeline");
        const { directory } = await import("./directory.js");
        const { pipeline } = await arranged(
          { pipeline: createPipelineFromOptions({ userAgentOptions }) },
          { service: graphService(cloud), scope: `${cloud.graph}/.default` },
        );
        const httpClient = createDefaultHttpClient();
        return directory(cloud.graph, (request) => pipeline.sendRequest(httpClient, request));
      }),
  };
  return azure;
}

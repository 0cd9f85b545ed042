/** An account with a container, in an emulator, and blobs in it through Azure's own SDK. */
import type { TokenCredential } from "@azure/core-auth";
import {
  BlobServiceClient,
  newPipeline,
  StorageSharedKeyCredential,
  type AnonymousCredential,
  type ContainerClient,
} from "@azure/storage-blob";
import { agentFor, seedState, wellKnown } from "../../../src/emulator/index.js";
import { openLocalServer, type LocalServer } from "../local-server.js";
import { sdkAccess } from "../sdk-access.js";

export const host = "demo.blob.core.windows.net";
const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/demo`;
export const account = `${group}/providers/Microsoft.Storage/storageAccounts/demo`;
const contributor = "ba92f5b4-2d11-453d-a403-e96b0029c9fe";

export interface StorageOptions {
  readonly properties?: object;
  readonly publicAccess?: "None" | "Blob" | "Container";
  /** Whether the client of azure-creds.json may write: true by default. */
  readonly granted?: boolean;
  readonly environment?: Record<string, string>;
}

export interface Storage {
  readonly server: LocalServer;
  readonly container: ContainerClient;
  /** A key of the account. */
  key(): Promise<string>;
  /** By that key. */
  withKey(): Promise<ContainerClient>;
}

export const grant = { scope: account, role: contributor, principalId: wellKnown.clientPrincipalId };

export async function openStorage(options: StorageOptions = {}): Promise<Storage> {
  const { properties = { allowBlobPublicAccess: true }, publicAccess = "Blob", granted = true, environment = {} } = options;
  const server = await openLocalServer({ environment });
  await seedState(server.directory, {
    resources: {
      [group]: { location: "eastus" },
      [account]: { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties },
      [`${account}/blobServices/default/containers/oidc`]: { properties: { publicAccess } },
    },
    ...(granted && { roleAssignments: [grant] }),
  });
  const key = async (): Promise<string> => {
    const token = await server.token();
    const reply = await server.call("management.azure.com", `${account}/listKeys?api-version=2025-01-01`, { method: "POST", token });
    return (reply.body as { keys: { value: string }[] }).keys[0]?.value ?? "";
  };
  return {
    server,
    container: containerThrough(server),
    key,
    withKey: async () => serviceThrough(server, new StorageSharedKeyCredential("demo", await key())).getContainerClient("oidc"),
  };
}

export function containerThrough(server: LocalServer): ContainerClient {
  return serviceThrough(server, sdkAccess(server).credential).getContainerClient("oidc");
}

/** Clients of this SDK share a pipeline, to which each of them would add what `additionalPolicies` says: so it is put into the pipeline itself. */
export function serviceThrough(
  server: LocalServer,
  credential: TokenCredential | StorageSharedKeyCredential | AnonymousCredential,
  signature = "",
): BlobServiceClient {
  const agent = agentFor(server);
  const pipeline = newPipeline(credential, { retryOptions: { maxTries: 1 } });
  pipeline.factories.push({
    create: (next) => ({
      sendRequest(request) {
        request.agent = agent;
        return next.sendRequest(request);
      },
    }),
  });
  return new BlobServiceClient(`https://${host}${signature === "" ? "" : `?${signature}`}`, pipeline);
}

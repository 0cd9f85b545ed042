/** The Azure of commands that only declare steps, without reading or applying them. Any call is a bug of this program. */
import { Failure } from "../errors/failure.js";
import type { Azure } from "./azure.js";
import type { Connection } from "./connection.js";

export function offlineAzure(): Azure {
  const refuse = () => Promise.reject(asked());
  return {
    get connection(): Connection {
      throw asked();
    },
    resources: refuse,
    network: refuse,
    privateDns: refuse,
    dns: refuse,
    authorization: refuse,
    directory: refuse,
    storage: refuse,
    blobs: refuse,
    vaults: refuse,
    vaultContent: refuse,
    vaultKeys: refuse,
    managedHsm: refuse,
    identities: refuse,
    clusters: refuse,
    arcExtensions: refuse,
    arcAgentChart: refuse,
    manager: refuse,
    subscription: refuse,
    published: refuse,
  };
}

function asked(): Failure {
  return new Failure("ARO-BUG-001", "a step of an offline plan sent a request to Azure");
}

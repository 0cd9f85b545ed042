/** Azure for who only declares steps, and never reads or does them: to ask it is a fault of ours. */
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
    identities: refuse,
    manager: refuse,
    published: refuse,
  };
}

function asked(): Failure {
  return new Failure("ARO-BUG-001", "Azure was asked where steps are only declared");
}

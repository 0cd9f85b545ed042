/** The Azure of commands that only declare steps: any request is a bug of this program. */
import { Failure } from "../errors/failure.js";
import type { Azure } from "./azure.js";
import { scaledClock } from "./clock.js";
import { clouds, type CloudProfile } from "./cloud.js";
import { earlyRequests } from "./early-requests.js";
import { systemRandom } from "./random.js";

/** A placeholder for an unknown subscription or principal: steps that are only declared need no real one. */
export const anyId = "00000000-0000-0000-0000-000000000000";

/** The names of some resources depend on the subscription, and their URLs on the cloud. */
interface OfflinePlace {
  readonly cloud?: CloudProfile;
  readonly subscriptionId?: string;
}

export function offlineAzure({ cloud = clouds.AzurePublicCloud, subscriptionId = anyId }: OfflinePlace = {}): Azure {
  const refuse = () => Promise.reject(new Failure("ARO-BUG-001", "a step of an offline plan sent a request to Azure"));
  return {
    connection: {
      cloud,
      subscriptionId,
      tenantId: anyId,
      userAgent: "",
      credential: { getToken: refuse, forget: () => undefined },
      clock: scaledClock(1),
      random: systemRandom,
      operations: new Set(),
      early: earlyRequests(),
      signal: new AbortController().signal,
      current: () => undefined,
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

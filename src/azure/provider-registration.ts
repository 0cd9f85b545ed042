/** Registers resource providers with a subscription: the Go SDK does this automatically, the JavaScript SDK does not. */
import { isRestError, type PipelineRequest } from "@azure/core-rest-pipeline";
import { oncePerKey } from "./concurrency.js";
import type { ResourcesClient } from "./sdk-operations.js";
import type { Transport } from "./transport.js";

const pollMs = 5_000;
/** Azure takes about a minute. */
const mostPolls = 60;

/**
 * Registers the provider that a rejected request needs, once for all callers. False if the caller has no permission, or if it is still not
 * registered after five minutes: the request then fails.
 */
export function providerRegistration(
  { clock, current }: Transport,
  resources: (subscriptionId: string) => Promise<ResourcesClient>,
): (request: PipelineRequest) => Promise<boolean> {
  const running = oncePerKey<boolean>();

  const register = async (subscriptionId: string, namespace: string): Promise<boolean> => {
    const { providers } = await resources(subscriptionId);
    try {
      await providers.register(namespace);
    } catch (error) {
      if (isRestError(error) && error.statusCode === 403) return false;
      throw error;
    }
    for (let polls = 0; polls < mostPolls; polls += 1) {
      if ((await providers.get(namespace)).registrationState === "Registered") return true;
      await clock.sleep(pollMs, current()?.signal);
    }
    return false;
  };

  return (request) => {
    const subscriptionId = /\/subscriptions\/([^/?]+)/i.exec(request.url)?.[1] ?? "";
    const namespace = [...request.url.matchAll(/\/providers\/([^/?]+)/gi)].at(-1)?.[1] ?? "";
    current()?.note(`registering the resource provider ${namespace} with the subscription`);
    const key = `${subscriptionId} ${namespace}`.toLowerCase();
    return running.get(key, () => register(subscriptionId, namespace));
  };
}

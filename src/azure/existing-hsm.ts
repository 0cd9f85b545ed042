/** Fails at once if the hostname of a managed HSM does not resolve: this program creates no HSM, so waiting does not help. */
import { isRestError, type PipelinePolicy } from "@azure/core-rest-pipeline";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { detailOf } from "./azure-error.js";
import { proxyOf } from "./proxy.js";
import type { Transport } from "./transport.js";

/** A proxy that cannot resolve a name returns "HostNotResolved". "EAI_AGAIN" is left out: DNS may answer differently a moment later. */
const unresolvedCodes: readonly (string | undefined)[] = ["ENOTFOUND", "HostNotResolved"];

/** Goes inside the retry policy. @throws ARO-OWN-003 if the hostname does not resolve, and the HSM has sent no response in this run */
export function existingHsmPolicy(name: string, { contact }: Pick<Transport, "contact">): PipelinePolicy {
  return {
    name: "aroHcpExistingHsmPolicy",
    async sendRequest(request, next) {
      const { host } = new URL(request.url);
      if (contact?.hosts.has(host)) return next(request);
      try {
        const response = await next(request);
        if (response.status < 400 || !unresolvedCodes.includes(detailOf(response).code)) return response;
      } catch (error) {
        // With a proxy, it is the hostname of the proxy that does not resolve.
        if (!isRestError(error) || proxyOf(request) !== undefined || !unresolvedCodes.includes(error.code)) throw error;
      }
      throw new Failure("ARO-OWN-003", `managed HSM "${name}" does not exist`, {
        because: `the hostname ${host} does not resolve`,
        next: [
          advise`check the name: ${shell`az keyvault list --resource-type hsm --query [].name`} lists the managed HSMs of the subscription`,
        ],
      });
    },
  };
}

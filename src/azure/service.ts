/** The services of Azure that the clients talk to: the hosts that each has, and how to recognize its responses. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { isAuthority, type CloudProfile } from "./cloud.js";
import { parseJsonObject } from "../text/json.js";
import { blobFault, graphFault, resourceManagerFault, signInFault, vaultFault } from "./response-shapes.js";

export interface Service {
  /** Whether a request, which carries a token or a secret, may go to this address. */
  readonly accepts: (url: URL, request: PipelineRequest) => boolean;
  /** Why a response cannot be the service's, as the rest of "the response to GET /path ..."; undefined if it can. */
  readonly faultOf: (request: PipelineRequest, response: PipelineResponse) => string | undefined;
  /** The types of the SDK say that a member is absent where the service may send null. */
  readonly nullIsAbsent?: true;
  /** Every request has a response within seconds. Resource Manager takes up to 15 s. */
  readonly respondsSoon?: true;
}

export function resourceManagerService({ resourceManager }: CloudProfile): Service {
  const { host } = new URL(resourceManager);
  // The links of some operations name the host of a region: eastus.management.azure.com.
  return {
    accepts: (url) => isHttps(url) && (url.host === host || url.host.endsWith(`.${host}`)),
    faultOf: resourceManagerFault,
    nullIsAbsent: true,
  };
}

export function graphService({ graph }: CloudProfile): Service {
  return { accepts: at(graph), faultOf: graphFault };
}

/** `url`: "https://demo.vault.azure.net". */
export function vaultService(url: string): Service {
  return { accepts: at(url), faultOf: vaultFault, nullIsAbsent: true };
}

/** The role assignments of a managed HSM. `url`: "https://demo.managedhsm.azure.net". */
export function managedHsmService(url: string): Service {
  return {
    accepts: at(url),
    faultOf: (_request, { status, bodyAsText }) =>
      status < 300 && parseJsonObject(bodyAsText ?? "") === undefined ? "is not JSON" : undefined,
  };
}

/** The configuration of the agents of Azure Arc in one region. */
export function arcConfigurationService(url: string): Service {
  return {
    accepts: at(url),
    faultOf: ({ method }, { status, bodyAsText }) =>
      method === "POST" && status === 200 && typeof parseJsonObject(bodyAsText ?? "")?.["repositoryPath"] !== "string"
        ? "does not name a chart"
        : undefined,
  };
}

export function blobService(url: string): Service {
  return { accepts: at(url), faultOf: blobFault };
}

/** Public documents, read without a token, so that any host may have them; only those in a storage account can be recognized. */
export function publicService({ blobSuffix }: CloudProfile): Service {
  return {
    accepts: () => true,
    faultOf: (request, response) => (new URL(request.url).host.endsWith(`.${blobSuffix}`) ? blobFault(request, response) : undefined),
  };
}

/** Sign-in. The default credential chain also asks this machine for a token (managed identity), without any secret. */
export function signInService(authorityHost: string): Service {
  return {
    accepts: (url, { body }) => isAuthority(url, authorityHost) || !(typeof body === "string" && /(?:^|&)grant_type=/.test(body)),
    faultOf: (request, response) => (isAuthority(new URL(request.url), authorityHost) ? signInFault(request, response) : undefined),
    respondsSoon: true,
  };
}

function at(address: string): (url: URL) => boolean {
  const { host } = new URL(address);
  return (url) => isHttps(url) && url.host === host;
}

function isHttps({ protocol }: URL): boolean {
  return protocol === "https:";
}

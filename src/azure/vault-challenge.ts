/** Checks whom a vault or managed HSM asks to sign in to: its SDK requests a token for what it names. */
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { isAuthority, type CloudProfile } from "./cloud.js";
import { foreignAddress, namedBy } from "./own-hosts.js";

/** Inside the SDK's policy that answers challenges. */
export function vaultChallengePolicy({ authorityHost, vaultSuffix, hsmSuffix }: CloudProfile): PipelinePolicy {
  return {
    name: "aroHcpVaultChallengePolicy",
    async sendRequest(request, next) {
      const response = await next(request);
      if (response.status !== 401) return response;
      const audience = new URL(request.url).host.endsWith(`.${hsmSuffix}`) ? hsmSuffix : vaultSuffix;
      for (const [, name = "", address = ""] of (response.headers.get("www-authenticate") ?? "").matchAll(named)) {
        const url = URL.canParse(address) ? new URL(address) : undefined;
        const isForSignIn = name.toLowerCase().startsWith("authorization");
        const isOurs = url && (isForSignIn ? isAuthority(url, authorityHost) : url.protocol === "https:" && url.host === audience);
        if (!isOurs) throw foreignAddress(address, namedBy(request, `the challenge (${name})`));
      }
      return response;
    },
  };
}

const named = /\b(authorization(?:_ur[il])?|resource|scope)="?([^",\s]*)/gi;

/** The credential of a program on a node: a managed identity of the node's scale set gets its token from the metadata service. */
import type { AccessToken, TokenCredential } from "@azure/core-auth";
import type { LocalServer, Reply } from "./local-server.js";

/** `parameters` says which of the node's identities. */
export function askMetadata(
  server: Pick<LocalServer, "call">,
  scaleSet: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { metadata: "true" },
): Promise<Reply> {
  const query = new URLSearchParams({ "api-version": "2018-02-01", resource: "https://vault.azure.net", ...parameters });
  return server.call(`${scaleSet}.instance-metadata.invalid`, `/metadata/identity/oauth2/token?${query.toString()}`, { headers });
}

export function nodeCredential(server: Pick<LocalServer, "call">, scaleSet: string, clientId: string): TokenCredential {
  return {
    async getToken(scopes): Promise<AccessToken> {
      const resource = [scopes].flat()[0]?.replace(/\/\.default$/, "") ?? "";
      const { status, body } = await askMetadata(server, scaleSet, { client_id: clientId, resource });
      if (status !== 200) throw new Error(`no token for ${clientId}: ${JSON.stringify(body)}`);
      const { access_token: token, expires_on: expiresOn } = body as { access_token: string; expires_on: string };
      return { token, expiresOnTimestamp: Number(expiresOn) * 1000 };
    },
  };
}

/** Calls to Graph through a server, as the client of azure-creds.json. */
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { openLocalServer, tokenRequest, type LocalServer, type Reply } from "../local-server.js";

const host = "graph.microsoft.com";

export interface Directory {
  readonly server: LocalServer;
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
  /** PATCH with `Prefer: create-if-missing`. */
  upsert(path: string, body: object): Promise<Reply>;
  /** The same directory, called by another application with these Graph permissions. */
  as(graphPermissions: readonly string[]): Promise<Directory>;
}

export const uniqueName = "aro-hcp.sub.group.demo.cpo";
export const byUniqueName = `applications(uniqueName='${uniqueName}')`;

export async function openDirectory(environment: Record<string, string> = {}): Promise<Directory> {
  const server = await openLocalServer({ environment });
  return directoryFor(server, await server.token(`https://${host}`));
}

let others = 0;

function directoryFor(server: LocalServer, token: string): Directory {
  const send: Directory["send"] = (method, path, body, headers) =>
    server.call(host, `/v1.0/${path}`, { method, token, ...(body && { body }), ...(headers && { headers }) });
  return {
    server,
    send,
    upsert: (path, body) => send("PATCH", path, body, { prefer: "create-if-missing" }),
    async as(graphPermissions) {
      const appId = `dddddddd-0000-4000-8000-${String(others++).padStart(12, "0")}`;
      await seedState(server.directory, { applications: [{ appId, displayName: "other", secret: "s3cret", graphPermissions }] });
      const form = tokenRequest(server, { client_id: appId, client_secret: "s3cret", scope: `https://${host}/.default` });
      const { body } = await server.call("login.microsoftonline.com", `/${wellKnown.tenantId}/oauth2/v2.0/token`, form);
      return directoryFor(server, (body as { access_token: string }).access_token);
    },
  };
}

export interface ApplicationBody {
  readonly id: string;
  readonly appId: string;
  readonly keyCredentials: readonly { keyId: string; key: string | null; customKeyIdentifier: string; endDateTime: string }[];
}

export const applicationIn = (reply: Reply): ApplicationBody => reply.body as ApplicationBody;
export const valuesIn = (reply: Reply): Record<string, unknown>[] => (reply.body as { value: Record<string, unknown>[] }).value;

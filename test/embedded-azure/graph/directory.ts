/** Calls to Graph through a door, as the client of azure-creds.json. */
import { seedWorld, wellKnown } from "../../../src/embedded-azure/index.js";
import { openLocalDoor, tokenRequest, type LocalDoor, type Reply } from "../local-door.js";

const host = "graph.microsoft.com";

export interface Directory {
  readonly door: LocalDoor;
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
  /** PATCH with `Prefer: create-if-missing`. */
  upsert(path: string, body: object): Promise<Reply>;
  /** The same directory as another application with these Graph permissions sees it. */
  as(graphPermissions: readonly string[]): Promise<Directory>;
}

export const uniqueName = "aro-hcp.sub.group.demo.cpo";
export const byUniqueName = `applications(uniqueName='${uniqueName}')`;

export async function openDirectory(environment: Record<string, string> = {}): Promise<Directory> {
  const door = await openLocalDoor({ environment });
  return directoryFor(door, await door.token(`https://${host}`));
}

let others = 0;

function directoryFor(door: LocalDoor, token: string): Directory {
  const send: Directory["send"] = (method, path, body, headers) =>
    door.call(host, `/v1.0/${path}`, { method, token, ...(body && { body }), ...(headers && { headers }) });
  return {
    door,
    send,
    upsert: (path, body) => send("PATCH", path, body, { prefer: "create-if-missing" }),
    async as(graphPermissions) {
      const appId = `dddddddd-0000-4000-8000-${String(others++).padStart(12, "0")}`;
      await seedWorld(door.directory, { applications: [{ appId, displayName: "other", secret: "s3cret", graphPermissions }] });
      const form = tokenRequest(door, { client_id: appId, client_secret: "s3cret", scope: `https://${host}/.default` });
      const { body } = await door.call("login.microsoftonline.com", `/${wellKnown.tenantId}/oauth2/v2.0/token`, form);
      return directoryFor(door, (body as { access_token: string }).access_token);
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

/**
 * The requests of `ccoctl azure create-all` and `delete`, in its order, with the api-versions and headers of its SDKs, and its decisions: it goes by
 * the codes of refusals. Each request is noted, to compare the order.
 */
import { createHmac, randomUUID } from "node:crypto";
import { wellKnown } from "../../src/emulator/index.js";
import type { LocalServer, Reply } from "../emulator/local-server.js";

/** What its SDKs ask for, by provider. */
const versions = {
  resources: "2021-04-01",
  storage: "2022-05-01",
  identities: "2023-01-31",
  authorization: "2022-04-01",
  blob: "2020-10-02",
};

const region = "centralus";
const subscription = `/subscriptions/${wellKnown.subscriptionId}`;

/** What a CredentialsRequest asks for. */
export interface CredentialsRequest {
  readonly namespace: string;
  readonly secret: string;
  readonly serviceAccounts: readonly string[];
  readonly roles: readonly string[];
  /** Actions of a custom role. */
  readonly permissions?: readonly string[];
}

export interface Ccoctl {
  /** Returns the client IDs of the identities. */
  createAll(
    documents: { readonly configuration: string; readonly jwks: string },
    requests: readonly CredentialsRequest[],
  ): Promise<string[]>;
  delete(): Promise<void>;
  /** The requests since the last call, each with its status, and the code of a refusal. */
  requests(): string[];
}

interface Resource {
  readonly id: string;
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
}

/** `name` is that of the storage account and the container, too. */
export function ccoctl(server: LocalServer, name: string): Ccoctl {
  const tags = { [`openshift.io_cloud-credential-operator_${name}`]: "owned" };
  const group = `${subscription}/resourceGroups/${name}-oidc`;
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/${name}`;
  const container = `${account}/blobServices/default/containers/${name}`;
  let noted: string[] = [];

  /** @throws Error for a refusal that ccoctl does not expect. */
  async function send(method: string, path: string, version: string, body?: object, expected?: string): Promise<Reply> {
    const token = await server.token("https://management.core.windows.net/");
    const headers = { accept: "application/json", "user-agent": "azsdk-go-armresources/v1.0.0 (go1.21; linux)" };
    // The URL of an operation has one.
    const target = path.includes("api-version=") ? path : `${path}${path.includes("?") ? "&" : "?"}api-version=${version}`;
    const reply = await server.call("management.azure.com", target, { method, headers, token, ...(body && { body }) });
    const code = (reply.body as { error?: { code: string } } | undefined)?.error?.code;
    noted.push(`${method} ${named(path)} ${[reply.status, code].filter(Boolean).join(" ")}`);
    if (reply.status < 400 || (code !== undefined && code === expected)) return reply;
    throw new Error(`${method} ${path}: ${String(reply.status)} ${JSON.stringify(reply.body)}`);
  }
  const get = (path: string, version: string, absent?: string) => send("GET", path, version, undefined, absent);
  const listed = async (path: string, version: string) => ((await get(path, version)).body as { value: Resource[] }).value;
  const put = async (path: string, version: string, body: object) => (await send("PUT", path, version, body)).body as Resource;

  async function ensureGroup(group: string): Promise<void> {
    const path = group.replace("resourceGroups", "resourcegroups");
    const { status } = await get(path, versions.resources, "ResourceGroupNotFound");
    if (status === 404) await put(path, versions.resources, { location: region, tags });
  }

  async function ensureAccount(): Promise<void> {
    const existing = await listed(`${group}/providers/Microsoft.Storage/storageAccounts`, versions.storage);
    if (existing.some((each) => each.name === name)) return;
    const body = { kind: "StorageV2", location: region, properties: { allowBlobPublicAccess: true }, sku: { name: "Standard_LRS" }, tags };
    let reply = await send("PUT", account, versions.storage, body);
    while (reply.status === 202) {
      const { pathname, search } = new URL(String(reply.headers["location"]));
      reply = await get(`${pathname}${search}`, versions.storage);
    }
  }

  async function ensureContainer(): Promise<void> {
    const { status } = await get(container, versions.storage, "ContainerNotFound");
    if (status === 404) await put(container, versions.storage, { properties: { publicAccess: "Container" } });
  }

  /** As azblob signs: the path as it is sent, a slash in a name as `%2F`. */
  async function upload(blob: string, content: string, key: string): Promise<void> {
    const path = `/${name}/${encodeURIComponent(blob)}`;
    const [tag = "", value = ""] = Object.entries(tags)[0] ?? [];
    const own = {
      "x-ms-blob-type": "BlockBlob",
      "x-ms-date": new Date().toUTCString(),
      "x-ms-tags": `${tag}=${value}`,
      "x-ms-version": versions.blob,
    };
    const length = String(Buffer.byteLength(content));
    const type = "application/octet-stream";
    const signedHeaders = Object.entries(own).map(([header, text]) => `${header}:${text}`);
    const text = ["PUT", "", "", length, "", type, "", "", "", "", "", "", ...signedHeaders, `/${name}${path}`].join("\n");
    const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
    const headers = { ...own, "content-length": length, "content-type": type, authorization: `SharedKey ${name}:${signature}` };
    const reply = await server.call(`${name}.blob.core.windows.net`, path, { method: "PUT", headers, body: content });
    noted.push(`PUT ${path} ${String(reply.status)}`);
    if (reply.status !== 201) throw new Error(`PUT ${path}: ${String(reply.status)} ${JSON.stringify(reply.body)}`);
  }

  const rolesNamed = (role: string) => {
    const filter = new URLSearchParams({ $filter: `roleName eq '${role}'` }).toString();
    return listed(`${subscription}/providers/Microsoft.Authorization/roleDefinitions?${filter}`, versions.authorization);
  };

  async function ensureCustomRole(roleName: string, actions: readonly string[]): Promise<void> {
    const [existing] = await rolesNamed(roleName);
    await put(
      `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${existing?.name ?? randomUUID()}`,
      versions.authorization,
      {
        properties: {
          assignableScopes: [subscription],
          description: `Custom role for OpenShift. Owned by: ${name}`,
          permissions: [{ actions, dataActions: [] }],
          roleName,
          type: "CustomRole",
        },
      },
    );
  }

  async function ensureRoles(principalId: string, roles: readonly string[], scope: string): Promise<void> {
    const filter = new URLSearchParams({ $filter: `assignedTo('${principalId}')` }).toString();
    const path = `/providers/Microsoft.Authorization/roleAssignments`;
    const existing = await listed(`${subscription}${path}?${filter}`, versions.authorization);
    for (const role of roles) {
      const [definition] = await rolesNamed(role);
      const isAssigned = ({ properties }: Resource) => properties["roleDefinitionId"] === definition?.id && properties["scope"] === scope;
      if (existing.some(isAssigned)) continue;
      const properties = { principalId, roleDefinitionId: definition?.id };
      await put(`${scope}${path}/${randomUUID()}`, versions.authorization, { properties });
    }
  }

  async function ensureIdentity(request: CredentialsRequest, scope: string): Promise<string> {
    const identityName = `${name}-${request.namespace}-${request.secret}`;
    const path = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${identityName}`;
    const found = await get(path, versions.identities, "ResourceNotFound");
    const identity = found.status === 404 ? await put(path, versions.identities, { location: region, tags }) : (found.body as Resource);
    const custom = request.permissions === undefined ? [] : [identityName];
    if (request.permissions !== undefined) await ensureCustomRole(identityName, request.permissions);
    await ensureRoles(identity.properties["principalId"] ?? "", [...request.roles, ...custom], scope);
    for (const serviceAccount of request.serviceAccounts) {
      const credential = `${path}/federatedIdentityCredentials/${serviceAccount}`;
      const { status } = await get(credential, versions.identities, "NotFound");
      const properties = {
        audiences: ["openshift"],
        issuer: `https://${name}.blob.core.windows.net/${name}`,
        subject: `system:serviceaccount:${request.namespace}:${serviceAccount}`,
      };
      if (status === 404) await put(credential, versions.identities, { properties });
    }
    return identity.properties["clientId"] ?? "";
  }

  return {
    async createAll({ configuration, jwks }, requests) {
      await ensureGroup(group);
      await ensureAccount();
      const { body } = await send("POST", `${account}/listKeys`, versions.storage);
      const key = (body as { keys: { value: string }[] }).keys[0]?.value ?? "";
      await ensureContainer();
      await upload(".well-known/openid-configuration", configuration, key);
      await upload("openid/v1/jwks", jwks, key);
      const installation = `${subscription}/resourceGroups/${name}`;
      await ensureGroup(installation);
      const clientIds: string[] = [];
      for (const request of requests) clientIds.push(await ensureIdentity(request, installation));
      return clientIds;
    },
    async delete() {
      const authorization = `${subscription}/providers/Microsoft.Authorization`;
      const filter = new URLSearchParams({ $filter: "type eq 'CustomRole'" }).toString();
      for (const role of await listed(`${authorization}/roleDefinitions?${filter}`, versions.authorization)) {
        if (role.properties["description"] !== `Custom role for OpenShift. Owned by: ${name}`) continue;
        for (const assignment of await listed(`${authorization}/roleAssignments`, versions.authorization)) {
          if (assignment.properties["roleDefinitionId"] !== role.id) continue;
          const scope = assignment.properties["scope"] ?? "";
          await send("DELETE", `${scope}/providers/Microsoft.Authorization/roleAssignments/${assignment.name}`, versions.authorization);
        }
        await send("DELETE", `${authorization}/roleDefinitions/${role.name}`, versions.authorization);
      }
      const identities = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
      for (const identity of await listed(identities, versions.identities)) {
        if (identity.tags?.[Object.keys(tags)[0] ?? ""] !== "owned") continue;
        await send("DELETE", `${identities}/${identity.name}`, versions.identities);
      }
      await send("DELETE", account, versions.storage);
    },
    requests() {
      const until = noted;
      noted = [];
      return until;
    },
  };
}

/** The end of a path, without what is random. */
function named(path: string): string {
  return path
    .replace(`${subscription}/`, "")
    .replace(/(\/asyncoperations)\/.*$/i, "$1")
    .replace(/[?].*$/, (query) => decodeURIComponent(query.replaceAll("+", " ")).replace(/'[0-9a-f]{8}-[^']*'/, "'…'"))
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}$/, "…");
}

/** A small API server of Kubernetes: objects as JSON, read and written by the real clients over HTTPS with its own authority. No controller runs in it. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { ensureCertificates } from "../../src/embedded-azure/door/certificates.js";

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid?: string; [key: string]: unknown };
  [key: string]: unknown;
}

export interface KubernetesServer {
  readonly url: string;
  /** Path of a kubeconfig that its objects can be read and written with. */
  readonly kubeconfig: string;
  /** The same as text, changed: another token, another authority. */
  writeKubeconfig(change: (config: Kubeconfig) => void): Promise<string>;
  /** Makes it, or takes the place of what is there. */
  put(...objects: readonly KubernetesObject[]): void;
  get(kind: string, namespace: string | undefined, name: string): KubernetesObject | undefined;
  list(kind: string): KubernetesObject[];
  remove(kind: string, namespace: string | undefined, name: string): void;
  /** "list nodes": what nobody may do any more. */
  readonly forbidden: Set<string>;
  /** Plurals of types that it does not know any more. */
  readonly unknown: Set<string>;
  /** "GET /api/v1/nodes", in order. */
  readonly requests: string[];
}

export interface Kubeconfig {
  apiVersion: "v1";
  kind: "Config";
  "current-context": string;
  clusters: { name: string; cluster: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
}

interface Type {
  readonly groupVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const secretsStore = "secrets-store.csi.x-k8s.io/v1";
const types: readonly Type[] = [
  { groupVersion: "v1", kind: "Namespace", plural: "namespaces", namespaced: false },
  { groupVersion: "v1", kind: "Node", plural: "nodes", namespaced: false },
  { groupVersion: "v1", kind: "Pod", plural: "pods", namespaced: true },
  { groupVersion: "v1", kind: "Event", plural: "events", namespaced: true },
  { groupVersion: "apps/v1", kind: "Deployment", plural: "deployments", namespaced: true },
  { groupVersion: secretsStore, kind: "SecretProviderClass", plural: "secretproviderclasses", namespaced: true },
  { groupVersion: secretsStore, kind: "SecretProviderClassPodStatus", plural: "secretproviderclasspodstatuses", namespaced: true },
];

interface Answer {
  readonly status: number;
  readonly body: object;
}

class Refusal extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

let certificates: Promise<string> | undefined;

function certificatesDirectory(): Promise<string> {
  certificates ??= (async () => {
    const directory = await mkdtemp(join(tmpdir(), "aro-hcp-kubernetes-"));
    process.once("exit", () => void rm(directory, { recursive: true, force: true }));
    return directory;
  })();
  return certificates;
}

/** Gone when the test ends. */
export async function kubernetesServer(): Promise<KubernetesServer> {
  const { ca, cert, key } = await ensureCertificates(await certificatesDirectory(), Date.now());
  const token = randomUUID();
  const objects = new Map<string, KubernetesObject>();
  const forbidden = new Set<string>();
  const unknown = new Set<string>();
  const requests: string[] = [];
  const store: Store = { objects, forbidden, unknown };

  const server = createServer({ cert, key }, (request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
    void answered(store, token, request).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const directory = await mkdtemp(join(tmpdir(), "aro-hcp-kubeconfig-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));

  const writeKubeconfig = async (change: (config: Kubeconfig) => void): Promise<string> => {
    const config: Kubeconfig = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "mgmt",
      clusters: [{ name: "mgmt", cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
      contexts: [{ name: "mgmt", context: { cluster: "mgmt", user: "admin" } }],
      users: [{ name: "admin", user: { token } }],
    };
    change(config);
    const file = join(directory, `${randomUUID()}.json`);
    await writeFile(file, JSON.stringify(config), { mode: 0o600 });
    return file;
  };

  return {
    url,
    kubeconfig: await writeKubeconfig(() => undefined),
    writeKubeconfig,
    put: (...made) => made.forEach((object) => void put(store, typeOfKind(object.kind), object)),
    get: (kind, namespace, name) => objects.get(keyOf(typeOfKind(kind), namespace, name)),
    list: (kind) => [...objects.values()].filter((object) => object.kind === kind),
    remove: (kind, namespace, name) => void objects.delete(keyOf(typeOfKind(kind), namespace, name)),
    forbidden,
    unknown,
    requests,
  };
}

interface Store {
  readonly objects: Map<string, KubernetesObject>;
  readonly forbidden: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
}

function typeOfKind(kind: string): Type {
  const type = types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`the test's API server knows no ${kind}`);
  return type;
}

function keyOf({ plural, namespaced }: Type, namespace: string | undefined, name: string): string {
  return `${plural}/${namespaced ? (namespace ?? "") : ""}/${name}`;
}

function put({ objects }: Store, type: Type, object: KubernetesObject): KubernetesObject {
  const key = keyOf(type, object.metadata.namespace, object.metadata.name);
  const uid = objects.get(key)?.metadata.uid ?? randomUUID();
  const kept = structuredClone({ ...object, metadata: { ...object.metadata, uid, resourceVersion: randomUUID() } });
  objects.set(key, kept);
  return kept;
}

async function answered(store: Store, token: string, request: IncomingMessage): Promise<Answer> {
  try {
    if (request.headers.authorization !== `Bearer ${token}`) throw new Refusal(401, "Unauthorized", "Unauthorized");
    const body = await text(request);
    return answer(store, request.method ?? "GET", new URL(request.url ?? "/", "https://server"), body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, reason, message } = error;
    return { status: code, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code } };
  }
}

const verbs = { GET: "get", POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" } as Readonly<Record<string, string>>;

function answer(store: Store, method: string, { pathname, searchParams }: URL, body: string): Answer {
  const discovery = discovered(store, pathname);
  if (discovery !== undefined) return { status: 200, body: discovery };
  const { type, namespace, name } = targetOf(store, pathname);
  const verb = method === "GET" && name === undefined ? "list" : (verbs[method] ?? method);
  if (store.forbidden.has(`${verb} ${type.plural}`)) {
    const where = type.namespaced ? `in the namespace "${namespace ?? ""}"` : "at the cluster scope";
    const [group = ""] = type.groupVersion.includes("/") ? type.groupVersion.split("/") : [];
    const what = `cannot ${verb} resource "${type.plural}" in API group "${group}" ${where}`;
    throw new Refusal(403, "Forbidden", `${type.plural} is forbidden: User "admin" ${what}`);
  }
  if (verb === "list") return { status: 200, body: listOf(store, type, namespace, searchParams) };
  if (verb === "create") return { status: 201, body: put(store, type, JSON.parse(body) as KubernetesObject) };
  const key = keyOf(type, namespace, name ?? "");
  const found = store.objects.get(key);
  if (found === undefined) throw new Refusal(404, "NotFound", `${type.plural} "${name ?? ""}" not found`);
  if (verb === "get") return { status: 200, body: found };
  if (verb === "delete") {
    store.objects.delete(key);
    return { status: 200, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" } };
  }
  const sent = JSON.parse(body) as KubernetesObject;
  return { status: 200, body: put(store, type, verb === "patch" ? (merged(found, sent) as KubernetesObject) : sent) };
}

function listOf({ objects }: Store, type: Type, namespace: string | undefined, query: URLSearchParams): object {
  const selectors = (query.get("fieldSelector") ?? "").split(",").filter((one) => one !== "");
  const items = [...objects.values()].filter(
    (object) =>
      object.kind === type.kind &&
      (namespace === undefined || object.metadata.namespace === namespace) &&
      selectors.every((selector) => {
        const [path = "", value] = selector.split("=");
        return path.split(".").reduce<unknown>((held, part) => (held as Record<string, unknown> | undefined)?.[part], object) === value;
      }),
  );
  return { kind: `${type.kind}List`, apiVersion: type.groupVersion, metadata: { resourceVersion: "1" }, items };
}

/** JSON Merge Patch (RFC 7386); what Kubernetes does to lists beyond that is not known here. */
function merged(before: unknown, change: unknown): unknown {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change;
  const whole: Record<string, unknown> = { ...(typeof before === "object" && before !== null ? before : {}) };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) Reflect.deleteProperty(whole, key);
    else whole[key] = merged(whole[key], value);
  }
  return whole;
}

interface Target {
  readonly type: Type;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

function targetOf({ unknown }: Store, path: string): Target {
  const [, groupVersion = "", rest = ""] = /^\/(?:api\/(?=v1\/)|apis\/)(v1|[^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
  const parts = rest.split("/").map(decodeURIComponent);
  const inNamespace = parts[0] === "namespaces" && parts.length > 2;
  const [plural, name] = inNamespace ? parts.slice(2) : parts;
  const type = types.find((one) => one.groupVersion === groupVersion && one.plural === plural && !unknown.has(one.plural));
  if (type === undefined) throw new Refusal(404, "NotFound", "the server could not find the requested resource");
  return { type, namespace: inNamespace ? parts[1] : undefined, name };
}

/** What `kubectl` asks first: which groups and types there are. */
function discovered({ unknown }: Store, path: string): object | undefined {
  const known = types.filter(({ plural }) => !unknown.has(plural));
  if (path === "/version") return { major: "1", minor: "33", gitVersion: "v1.33.0" };
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (path === "/apis") {
    const groups = [...new Set(known.map(({ groupVersion }) => groupVersion))].filter((one) => one.includes("/"));
    const entries = groups.map((groupVersion) => {
      const [name, version] = groupVersion.split("/");
      return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
    });
    return { kind: "APIGroupList", apiVersion: "v1", groups: entries };
  }
  const [, groupVersion] = /^\/(?:api\/(?=v1$)|apis\/)(v1|[^/]+\/[^/]+)$/.exec(path) ?? [];
  const resources = known.filter((one) => one.groupVersion === groupVersion);
  if (groupVersion === undefined || resources.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion,
    resources: resources.map(({ plural, kind, namespaced }) => ({
      name: plural,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs: ["get", "list", "create", "update", "patch", "delete"],
    })),
  };
}

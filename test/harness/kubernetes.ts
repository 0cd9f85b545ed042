/** A small Kubernetes API server. Tests create its objects as JSON; the real client reads, creates and deletes over HTTPS with the server's own CA. It has no controllers. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { systemRandom } from "../../src/emulator/common/random.js";
import { ensureCertificates } from "../../src/emulator/listeners/server-certificates.js";
import { madeCertificates } from "./made-certificates.js";
import { temporaryDirectory } from "./temporary-directory.js";

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [key: string]: unknown };
  [key: string]: unknown;
}

export interface KubernetesServer {
  /** Path of a kubeconfig that can read all objects. */
  readonly kubeconfig: string;
  /** The same for the emulator, as the knob `apiServer` of a seed: the kubeconfigs of its AKS clusters then lead here. */
  readonly apiServer: { readonly server: string; readonly certificateAuthorityData: string; readonly token: string };
  /** Writes a changed kubeconfig, for example with another token or CA. Returns its path. */
  writeKubeconfig(change: (config: Kubeconfig) => void): Promise<string>;
  /** Creates or replaces objects. */
  put(...objects: readonly KubernetesObject[]): void;
  get(kind: string, namespace: string | undefined, name: string): KubernetesObject | undefined;
  all(): KubernetesObject[];
  remove(kind: string, namespace: string | undefined, name: string): void;
  /** Forbidden verbs on resources: `list nodes`. */
  readonly forbidden: Set<string>;
  /** Plurals of the resource types that the server no longer has. */
  readonly unknown: Set<string>;
  /** Called with each object that a client creates, as a controller would be. */
  onCreate(react: (object: KubernetesObject) => void): void;
  /** Answers every request with this text and status 200; "endless" repeats it for as long as the client reads. */
  disguise(body: string, length: "whole" | "cut" | "endless"): void;
  /** All requests in order: `GET /api/v1/nodes`, and `GET ... (metadata)` for the metadata of an object alone. */
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
  { groupVersion: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true },
  { groupVersion: "v1", kind: "Secret", plural: "secrets", namespaced: true },
  { groupVersion: "batch/v1", kind: "Job", plural: "jobs", namespaced: true },
  { groupVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", plural: "clusterrolebindings", namespaced: false },
  { groupVersion: "v1", kind: "Service", plural: "services", namespaced: true },
  { groupVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", plural: "customresourcedefinitions", namespaced: false },
  { groupVersion: "apps/v1", kind: "Deployment", plural: "deployments", namespaced: true },
  { groupVersion: "storage.k8s.io/v1", kind: "CSIDriver", plural: "csidrivers", namespaced: false },
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

/** Closes when the test ends. */
export async function kubernetesServer(): Promise<KubernetesServer> {
  const { ca, cert, key } = await ensureCertificates(await madeCertificates(), Date.now(), systemRandom);
  const token = randomUUID();
  const objects = new Map<string, KubernetesObject>();
  const forbidden = new Set<string>();
  const unknown = new Set<string>();
  const requests: string[] = [];
  const reactions: ((object: KubernetesObject) => void)[] = [];
  const store: Store = { objects, forbidden, unknown, created: (object) => reactions.forEach((react) => react(object)) };

  let disguise: { readonly body: string; readonly length: "whole" | "cut" | "endless" } | undefined;
  const server = createServer({ cert, key }, (request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}${isForMetadata(request) ? " (metadata)" : ""}`);
    if (disguise) return sendDisguised(response, disguise);
    let sent = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (sent += chunk));
    request.on("end", () => {
      const { status, body } = answered(store, token, request, sent);
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
  const directory = temporaryDirectory();

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
    return directory.write(`${randomUUID()}.json`, JSON.stringify(config));
  };

  return {
    kubeconfig: await writeKubeconfig(() => undefined),
    apiServer: { server: url, certificateAuthorityData: Buffer.from(ca).toString("base64"), token },
    writeKubeconfig,
    put: (...made) => made.forEach((object) => put(store, object)),
    get: (kind, namespace, name) => objects.get(keyOf(typeOfKind(kind), namespace, name)),
    all: () => [...objects.values()],
    remove: (kind, namespace, name) => void objects.delete(keyOf(typeOfKind(kind), namespace, name)),
    forbidden,
    unknown,
    onCreate: (react) => void reactions.push(react),
    disguise(body, length) {
      disguise = { body, length };
    },
    requests,
  };
}

function sendDisguised(
  response: ServerResponse,
  { body, length }: { readonly body: string; readonly length: "whole" | "cut" | "endless" },
): void {
  response.writeHead(200, { "content-type": "application/json", ...(length === "cut" && { "content-length": body.length + 1 }) });
  if (length === "whole") response.end(body);
  else if (length === "cut") response.write(body, () => response.destroy());
  else {
    const more = (): void => void (response.destroyed || response.write(body, () => setImmediate(more)));
    more();
  }
}

interface Store {
  readonly objects: Map<string, KubernetesObject>;
  readonly forbidden: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
  readonly created: (object: KubernetesObject) => void;
}

function typeOfKind(kind: string): Type {
  const type = types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`the API server of the tests has no ${kind}`);
  return type;
}

function keyOf({ plural, namespaced }: Type, namespace: string | undefined, name: string): string {
  return `${plural}/${namespaced ? (namespace ?? "") : ""}/${name}`;
}

function put({ objects }: Store, object: KubernetesObject): void {
  objects.set(keyOf(typeOfKind(object.kind), object.metadata.namespace, object.metadata.name), structuredClone(object));
}

function answered(store: Store, token: string, request: IncomingMessage, sent: string): Answer {
  try {
    if (request.headers.authorization !== `Bearer ${token}`) throw new Refusal(401, "Unauthorized", "Unauthorized");
    const url = new URL(request.url ?? "/", "https://server");
    if (request.method === "POST") return { status: 201, body: create(store, url, JSON.parse(sent) as KubernetesObject) };
    if (request.method === "DELETE") return { status: 200, body: remove(store, url) };
    if (request.method !== "GET") throw new Refusal(405, "MethodNotAllowed", "this server has no such verb");
    const found = answer(store, url);
    return { status: 200, body: isForMetadata(request) && "metadata" in found ? { ...partial, metadata: found.metadata } : found };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, reason, message } = error;
    return { status: code, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code } };
  }
}

const partial = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };

function isForMetadata({ headers: { accept = "" } }: IncomingMessage): boolean {
  return accept.includes("as=PartialObjectMetadata");
}

function answer(store: Store, { pathname, searchParams }: URL): object {
  const { type, namespace, name } = targetOf(store, pathname);
  const verb = name === undefined ? "list" : "get";
  requireAllowed(store, verb, type, namespace);
  if (name === undefined) return listOf(store, type, namespace, searchParams);
  const found = store.objects.get(keyOf(type, namespace, name));
  if (found === undefined) throw new Refusal(404, "NotFound", `${type.plural} "${name}" not found`);
  return found;
}

function requireAllowed(store: Store, verb: string, type: Type, namespace: string | undefined): void {
  if (!store.forbidden.has(`${verb} ${type.plural}`)) return;
  const where = type.namespaced ? `in the namespace "${namespace ?? ""}"` : "at the cluster scope";
  const [group = ""] = type.groupVersion.includes("/") ? type.groupVersion.split("/") : [];
  const what = `cannot ${verb} resource "${type.plural}" in API group "${group}" ${where}`;
  throw new Refusal(403, "Forbidden", `${type.plural} is forbidden: User "admin" ${what}`);
}

function create(store: Store, { pathname }: URL, sent: KubernetesObject): object {
  const { type, namespace } = targetOf(store, pathname);
  requireAllowed(store, "create", type, namespace);
  const { name } = sent.metadata;
  if (namespace !== undefined && !store.objects.has(`namespaces//${namespace}`))
    throw new Refusal(404, "NotFound", `namespaces "${namespace}" not found`);
  if (store.objects.has(keyOf(type, namespace, name))) throw new Refusal(409, "AlreadyExists", `${type.plural} "${name}" already exists`);
  const object = { ...sent, metadata: { ...sent.metadata, ...(namespace !== undefined && { namespace }) } };
  put(store, object);
  store.created(object);
  return object;
}

/** A namespace goes with its objects. */
function remove(store: Store, { pathname }: URL): object {
  const { type, namespace, name = "" } = targetOf(store, pathname);
  requireAllowed(store, "delete", type, namespace);
  if (!store.objects.delete(keyOf(type, namespace, name))) throw new Refusal(404, "NotFound", `${type.plural} "${name}" not found`);
  if (type.kind === "Namespace") {
    for (const [key, object] of store.objects) if (object.metadata.namespace === name) store.objects.delete(key);
  }
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
}

function listOf({ objects }: Store, type: Type, namespace: string | undefined, query: URLSearchParams): object {
  const selectors = (query.get("fieldSelector") ?? "").split(",").filter((one) => one !== "");
  const items = [...objects.values()].filter(
    (object) =>
      object.kind === type.kind &&
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (query.get("labelSelector") ?? "").split(",").every((label) => label === "" || hasLabel(object, label)) &&
      selectors.every((selector) => {
        const [path = "", value] = selector.split("=");
        return path.split(".").reduce<unknown>((held, part) => (held as Record<string, unknown> | undefined)?.[part], object) === value;
      }),
  );
  return { kind: `${type.kind}List`, apiVersion: type.groupVersion, metadata: { resourceVersion: "1" }, items };
}

function hasLabel({ metadata }: KubernetesObject, selector: string): boolean {
  const [name = "", value] = selector.split("=");
  return (metadata["labels"] as Record<string, string> | undefined)?.[name] === value;
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

/** Rebuilds a received kubeconfig from its address and inline credentials, so that it runs and reads nothing here. */
import { Document, LineCounter } from "yaml";
import { z } from "zod";
import type { Advice } from "../errors/advice.js";
import { Failure, firstProblems, type Problem } from "../errors/failure.js";
import { uncoloredText } from "../text/control.js";
import { cloudName, uuid } from "./fields.js";
import { parseYaml } from "./parse-yaml.js";

export interface Sender {
  /** For people: "secret demo-admin-kubeconfig in clusters". */
  readonly from: string;
  /** Only AKS names a sign-in plugin, and only kubelogin. */
  readonly mayRunKubelogin?: boolean;
  readonly next?: readonly Advice[];
}

export interface ReceivedKubeconfig {
  readonly cluster: z.output<typeof cluster>;
  readonly user: Omit<z.output<typeof staticUser>, "extensions"> & { readonly exec?: KubeloginExec | undefined };
  /** Names of the context, of its cluster and of its user. */
  readonly names: { readonly context: string; readonly cluster: string; readonly user: string };
}

// Names and addresses are printed, so they have no character that a terminal or the log of a pipeline would act on.
const name = z.string().regex(/^[a-z\d][\w.:@/-]{0,252}$/i, "is not a name of letters, digits and . : @ / _ -");
const server = z
  .string()
  .regex(
    /^https:\/\/(?:[a-z\d.-]+|\[[a-f\d:.]+\])(?::\d{1,5})?(?:\/[\w.~%/-]*)?$/i,
    "is not an HTTPS address without user, query and fragment",
  )
  .refine((text) => URL.canParse(text), "is not an address");
const base64 = z.base64("is not base64").min(1, "is empty");
/** Metadata, which is dropped. */
const dropped = z.unknown().transform(() => undefined);

const cluster = z
  .strictObject({
    server,
    "certificate-authority-data": base64.optional(),
    // Says which name the certificate must have. It is verified all the same.
    "tls-server-name": z
      .string()
      .regex(/^[a-z\d.-]{1,253}$/i, "is not a hostname")
      .optional(),
    extensions: dropped.optional(),
  })
  .transform(({ extensions: _, ...kept }) => kept);

const staticUser = z.strictObject({
  "client-certificate-data": base64.optional(),
  "client-key-data": base64.optional(),
  token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "is not a token")
    .optional(),
  extensions: dropped.optional(),
});

const config = <User extends z.ZodType>(user: User) =>
  z.strictObject({
    apiVersion: z.literal("v1", "must be v1").optional(),
    kind: z.literal("Config", "must be Config").optional(),
    preferences: dropped.optional(),
    extensions: dropped.optional(),
    "current-context": name,
    clusters: z.array(z.strictObject({ name, cluster })),
    contexts: z.array(
      z.strictObject({
        name,
        context: z.strictObject({ cluster: name, user: name, namespace: dropped.optional(), extensions: dropped.optional() }),
      }),
    ),
    users: z.array(z.strictObject({ name, user })),
  });

const staticConfig = config(staticUser);
/** The methods of kubelogin that take no secret and no path as an argument. */
const loginMethods = ["devicecode", "interactive", "azurecli", "azd", "msi", "spn", "workloadidentity"];

/** Others lead elsewhere, read files or contain secrets: --authority-host, --token-cache-dir, --client-secret. */
const argumentsOfAks: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["--environment", cloudName],
  ["--server-id", uuid],
  ["--client-id", uuid],
  ["--tenant-id", uuid],
  ["--login", z.enum(loginMethods)],
]);

/** The sign-in plugin of AKS: kubelogin from PATH, with the arguments that AKS writes, and no others. */
const kubeloginExec = z.strictObject({
  apiVersion: z.enum(["client.authentication.k8s.io/v1beta1", "client.authentication.k8s.io/v1"], "is not a version of exec plugins"),
  command: z.literal("kubelogin", "must be kubelogin, without a path"),
  args: z.array(z.string()).refine(areOfAks, "has arguments that AKS does not write"),
  env: z.array(z.unknown()).max(0, "must be empty").optional(),
  // kubectl prints it.
  installHint: z.string().max(2000, "is too long").transform(uncoloredText).optional(),
  interactiveMode: z.enum(["Never", "IfAvailable", "Always"], "is not a mode of exec plugins").optional(),
  provideClusterInfo: z.boolean().optional(),
});

type KubeloginExec = z.output<typeof kubeloginExec>;

function areOfAks([verb, ...others]: readonly string[]): boolean {
  const flags = others.filter((_, index) => index % 2 === 0);
  return (
    verb === "get-token" &&
    new Set(flags).size === flags.length &&
    flags.every((flag, index) => argumentsOfAks.get(flag)?.safeParse(others[2 * index + 1]).success === true)
  );
}

const kubeloginConfig = config(staticUser.extend({ exec: kubeloginExec.optional() }));

/**
 * Everything that is not known is refused, also in entries that the current context does not use.
 * @throws ARO-KUBE-004, which names what is refused and quotes no value
 */
export function receivedKubeconfig(text: string, sender: Sender): ReceivedKubeconfig {
  const parsed = (sender.mayRunKubelogin === true ? kubeloginConfig : staticConfig).safeParse(valueOf(text, sender));
  if (!parsed.success)
    throw refused(
      sender,
      firstProblems(parsed.error.issues.flatMap(problemsOf), (problem) => problem),
    );
  const { "current-context": current, contexts, clusters, users } = parsed.data;
  const context = contexts.find((one) => one.name === current)?.context;
  const found = clusters.find((one) => one.name === context?.cluster);
  const at = users.findIndex((one) => one.name === context?.user);
  const user: ReceivedKubeconfig["user"] | undefined = users[at]?.user;
  if (context === undefined || found === undefined || user === undefined) {
    throw refused(sender, [{ origin: "current-context", message: "leads to no cluster, or to no user" }]);
  }
  const { "client-certificate-data": certificate, "client-key-data": key, token, exec } = user;
  const isHalf = (certificate === undefined) !== (key === undefined);
  if (isHalf || (key === undefined && token === undefined && exec === undefined)) {
    throw refused(sender, [{ origin: `users[${String(at)}].user`, message: "has no certificate with its key, and no token" }]);
  }
  return {
    cluster: found.cluster,
    user: { "client-certificate-data": certificate, "client-key-data": key, token, exec },
    names: { context: current, cluster: context.cluster, user: context.user },
  };
}

/** The text of a kubeconfig with only that. `extensions` are ours, of the cluster. */
export function kubeconfigText({ cluster, user, names }: ReceivedKubeconfig, extensions?: readonly object[]): string {
  const value = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: names.cluster, cluster: { ...cluster, extensions } }],
    contexts: [{ name: names.context, context: { cluster: names.cluster, user: names.user } }],
    "current-context": names.context,
    users: [{ name: names.user, user }],
  };
  return new Document(value, { schema: "yaml-1.1", aliasDuplicateObjects: false, keepUndefined: false }).toString({ lineWidth: 0 });
}

/** Without members that are null. The errors of the parser are dropped: they would quote credentials. */
function valueOf(text: string, sender: Sender): unknown {
  const parsed = parseYaml(text, new LineCounter());
  try {
    if (parsed !== undefined && parsed.error === undefined) return withoutNulls(parsed.document.toJS());
  } catch {
    // Thrown for aliases without anchor, and for aliases that multiply beyond reason.
  }
  throw refused(sender, [{ origin: "the text", message: "is not well-formed YAML or JSON" }]);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}

/** Unknown members each have a problem of their own. A name that no kubeconfig has could be anything, such as a token. */
function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const at = pathText(issue.path);
  if (issue.code !== "unrecognized_keys") return [{ origin: at, message: inWords(issue) }];
  return issue.keys.map((key) => {
    const isName = /^[a-z][a-z-]{0,40}$/i.test(key);
    return { origin: isName ? pathText([...issue.path, key]) : at, message: isName ? "is not allowed" : "has an unknown member" };
  });
}

function inWords({ code, message, input }: z.core.$ZodIssue): string {
  if (code !== "invalid_type") return message;
  return input === undefined ? "is missing" : "has another type";
}

/** "users[0].user.exec" */
function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === "number" ? `[${String(key)}]` : `.${String(key)}`)).join("");
  return text === "" ? "the text" : text.replace(/^\./, "");
}

function refused({ from, mayRunKubelogin, next }: Sender, problems: readonly Problem[]): Failure {
  const credentials =
    mayRunKubelogin === true ? "a certificate with its key, a token or kubelogin" : "a certificate with its key or a token";
  return new Failure("ARO-KUBE-004", `the kubeconfig of ${from} is refused`, {
    problems,
    because: `it may only contain an HTTPS address, CA data, and ${credentials}`,
    next,
  });
}

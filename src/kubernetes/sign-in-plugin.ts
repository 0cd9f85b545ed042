/** Runs the sign-in plugin of a kubeconfig (`exec`) with chosen variables. */
import { execFile } from "node:child_process";
import type { RequestOptions } from "node:https";
import type { KubeConfig, User } from "@kubernetes/client-node";
import { parseJsonObject } from "../text/json.js";
import { redacted } from "../text/redact.js";
import { reasonOf } from "../text/system-code.js";

/** A plugin may call Entra first. */
export const longestSignInMs = 60_000;

/** The client's own runner passes on all variables of this process. */
export interface Plugin {
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
}

interface Credential {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

/** What the client would run for this user. @throws Error if it cannot be run */
export function pluginOf(user: User | null): Plugin | undefined {
  const { exec, authProvider } = (user ?? {}) as {
    exec?: unknown;
    authProvider?: { config?: Readonly<Record<string, unknown>> | null } | null;
  };
  const plugin = (exec ?? authProvider?.config?.["exec"] ?? undefined) as Plugin | undefined;
  if (plugin === undefined) {
    // The client would run it in this process's environment, and wait for it without a limit.
    if (!authProvider?.config?.["cmd-path"]) return undefined;
    throw new Error("its auth-provider runs a command, which kubectl has not supported since 1.26");
  }
  const { command, args, env } = plugin;
  const isText = (value: unknown) => typeof value === "string";
  const isWhole =
    isText(command) &&
    command !== "" &&
    (args ?? []).every(isText) &&
    (env ?? []).every((one) => isText((one as typeof one | null)?.name) && isText(one.value));
  if (!isWhole) throw new Error("its sign-in plugin has no command, or arguments or variables of another type");
  return plugin;
}

const ownProvider = "aro-hcp";

/** From now on, the current user's plugin runs with these variables only, and those that the kubeconfig sets. */
export function runPlugin(config: KubeConfig, plugin: Plugin, environment: NodeJS.ProcessEnv, now: () => Date): void {
  const current = config.getCurrentUser();
  config.users = config.users.map((user) =>
    user === current ? { ...user, exec: undefined, authProvider: { name: ownProvider, config: {} } } : user,
  );
  let last: Credential | undefined;
  config.addAuthenticator({
    isAuthProvider: ({ authProvider }) => (authProvider as { name?: unknown } | null | undefined)?.name === ownProvider,
    async applyAuthentication(_user, options: RequestOptions) {
      const isValid = Date.parse(last?.expirationTimestamp ?? "") > now().getTime();
      const credential = isValid && last ? last : await credentialOf(plugin, environment);
      last = credential;
      const { token, clientCertificateData: cert, clientKeyData: key } = credential;
      if (cert) options.cert = cert;
      if (key) options.key = key;
      if (token) options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
    },
  });
}

/** Errors do not quote the arguments of the plugin: they can contain secrets. */
async function credentialOf({ command, args, env }: Plugin, environment: NodeJS.ProcessEnv): Promise<Credential> {
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const options = { env: { ...environment, ...own }, timeout: longestSignInMs };
  const text = await new Promise<string>((resolve, reject) => {
    execFile(command, [...(args ?? [])], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (typeof error.code === "string") reject(new Error(`${command}: ${reasonOf(error.code)}`));
      else reject(new Error(redacted(stderr.trim()) || `${command} failed without a message`));
    });
  });
  const status = parseJsonObject(text)?.["status"] as Credential | null | undefined;
  if (status?.token || status?.clientCertificateData) return status;
  throw new Error(`${command} returned no credentials`);
}

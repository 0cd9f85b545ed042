/** Converts settings to a connection: the credential, the cloud, and for `local` the emulator. */
import { openAzure, type Azure } from "../azure/azure.js";
import { clouds, type CloudName } from "../azure/cloud.js";
import { signIn, signInByAz } from "../azure/sign-in.js";
import { scaledClock } from "../azure/clock.js";
import { earlyRequests } from "../azure/early-requests.js";
import type { Transport } from "../azure/transport.js";
import { canAsk } from "../render/prompt.js";
import { azSubscription } from "./az-subscription.js";
import { readAzureCreds } from "../files/azure-creds.js";
import { printable } from "../render/printable.js";
import type { ProcessPort } from "./process-port.js";
import { localDirectory, orLocalFailure } from "./local-emulator.js";
import { onBehalf, type RunContext } from "./run-context.js";
import {
  subscriptionIfGiven,
  subscriptionInFile,
  subscriptionOf,
  subscriptionSource,
  type SubscriptionInFile,
  type SubscriptionSources,
} from "./subscription.js";
import { refuseEmulatorIds } from "./emulator-credentials.js";
import { requireProxyUrl } from "./proxy-variable.js";
import { version } from "./package-version.js";
import { Failure } from "../errors/failure.js";
import { readInputFile } from "../files/input-file.js";

export interface ConnectSettings {
  readonly cloud: CloudName;
  readonly azureCreds: string | undefined;
  readonly subscription: string | undefined;
  /** The values of the --infra-file or --management-cluster-file document, if passed. */
  readonly documentSubscription?: SubscriptionInFile | undefined;
  /** Whether the command can start without a subscription: the connection's is then empty. */
  readonly subscriptionOptional?: true;
  readonly command: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly debug: boolean;
}

export interface Connected {
  readonly azure: Azure;
  /** "--subscription": where its subscription comes from. */
  readonly subscriptionSource: string;
  close(): Promise<void>;
}

export async function connect(settings: ConnectSettings, port: ProcessPort, context: RunContext): Promise<Connected> {
  verifyCertificates(port, context);
  requireProxyUrl(port.environment, settings.cloud);
  const local = settings.cloud === "local" ? await connectLocal(port) : undefined;
  try {
    return await openConnection(settings, port, context, local);
  } catch (error) {
    // An open emulator would keep the process alive.
    await local?.close();
    throw error;
  }
}

async function openConnection(
  settings: ConnectSettings,
  port: ProcessPort,
  context: RunContext,
  local: Awaited<ReturnType<typeof connectLocal>> | undefined,
): Promise<Connected> {
  const { cloud, azureCreds, subscription, documentSubscription, subscriptionOptional, debug } = settings;
  const { environment, clock, random } = port;
  const credsFile = azureCreds ?? local?.server.credentialsFile;
  const creds = credsFile === undefined ? undefined : await readAzureCreds(credsFile);
  for (const notice of creds?.notices ?? []) context.say(`notice: ${printable(notice)}`);
  const profile = clouds[cloud];
  const sources: SubscriptionSources = {
    setting: subscription,
    credentials: subscriptionInFile(creds?.subscriptionId, credsFile),
    document: documentSubscription,
    variable: environment["AZURE_SUBSCRIPTION_ID"],
  };
  const isUnseen = isUnseenChange(settings, port, context);
  const isGiven = isUnseen || port.isProgram === true || subscriptionIfGiven(sources) !== undefined;
  const az = isGiven || local !== undefined ? undefined : await azSubscription(cloud, port);
  const tenantId = creds?.tenantId ?? (environment["AZURE_TENANT_ID"] || az?.tenantId);
  if (local === undefined) {
    const document = subscription === undefined ? documentSubscription : undefined;
    refuseEmulatorIds({ tenantId, credsFile: credsFile ?? az?.file, document }, environment);
  }
  if (creds?.servicePrincipal === undefined) await checkSignInFiles(environment);
  const transport: Transport = {
    clock: scaledClock(local?.server.timeScale ?? 1, clock),
    random,
    ...local?.way,
    contact: { isMade: false, hosts: new Set() },
    operations: port.pacing?.operations ?? new Set(),
    early: earlyRequests(),
    ...(port.pacing && { pacing: { pacing: port.pacing, principal: creds?.servicePrincipal?.clientId ?? "" } }),
    ...(local?.responseLimitMs !== undefined && { responseLimitMs: local.responseLimitMs }),
    ...(debug && { log: (line: string) => context.say(`debug: ${printable(line)}`) }),
    signal: context.signal,
    current: onBehalf(context),
  };
  const known = { ...sources, az: az?.id };
  return {
    azure: openAzure({
      ...transport,
      cloud: profile,
      tenantId: tenantId ?? "",
      subscriptionId: subscriptionOptional === true ? (subscriptionIfGiven(known) ?? "") : subscriptionOf(known, isUnseen),
      ...(az !== undefined && { subscriptionFrom: "az" as const }),
      // Where az names the subscription, nobody else signs in: the chain could find an identity of the machine first.
      credential: await (az !== undefined
        ? signInByAz(az.tenantId, transport)
        : signIn(tenantId === undefined ? undefined : { tenantId, ...creds?.servicePrincipal }, profile, transport)),
      userAgent: `aro-hcp/${version}`,
    }),
    subscriptionSource: subscriptionSource(known, port),
    close: async () => local?.close(),
  };
}

/** Whether the command changes what exists, and nobody sees its plan before: then az's subscription is not meant for sure. */
function isUnseenChange({ command, dryRun = false, yes = false }: ConnectSettings, port: ProcessPort, { people }: RunContext): boolean {
  return /^(?:destroy|rotate|adopt) /.test(command) && !dryRun && (yes || !canAsk({ input: port.stdin, output: people }));
}

/** With this variable Node.js accepts any certificate, and would send secrets to any server. */
function verifyCertificates({ environment }: ProcessPort, context: RunContext): void {
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") return;
  delete environment["NODE_TLS_REJECT_UNAUTHORIZED"];
  context.say("notice: NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: certificates are always verified");
}

/** Connects to the running emulator of the directory, or opens it in this process. */
async function connectLocal(port: ProcessPort) {
  const { agentFor, responseLimit } = await import("../emulator/client.js");
  return orLocalFailure(async () => {
    const responseLimitMs = responseLimit(port.environment);
    // Its credentials file has a client secret. The SDK loads while the emulator answers.
    const [server] = await Promise.all([port.emulator ?? openLocal(port), import("../azure/credentials/client-secret.js")]);
    const agent = "send" in server ? undefined : agentFor(server);
    const way: Pick<Transport, "agent" | "send"> = "send" in server ? { send: server.send } : { ...(agent && { agent }) };
    const close = async () => {
      agent?.destroy();
      // Whoever has given an emulator uses it further.
      if (port.emulator === undefined) await server.close();
    };
    return { server, way, responseLimitMs, close };
  });
}

async function openLocal(port: ProcessPort) {
  const { connectInProcess } = await import("../emulator/client.js");
  const { environment, clock, random } = port;
  return connectInProcess({ directory: localDirectory(port), environment, clock, random }, () => {
    port.kill();
  });
}

/** The port with an emulator that several commands of this process share, so that they do not write its state against each other. */
export async function withSharedEmulator<T>(port: ProcessPort, work: (port: ProcessPort) => Promise<T>): Promise<T> {
  if (port.emulator !== undefined) return work(port);
  const emulator = await orLocalFailure(() => openLocal(port));
  try {
    return await work("send" in emulator ? { ...port, emulator } : port);
  } finally {
    if ("send" in emulator) emulator.close();
  }
}

/** A certificate with its key, and the token of a workload identity. */
const variables = ["AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_FEDERATED_TOKEN_FILE"] as const;

const maxBytes = 1024 * 1024;

/**
 * The SDK reads them with a thread that cannot be stopped: a pipe would block the thread forever, and the end of the process too. A missing file is
 * left to the SDK, which then tries the next credential or names the file.
 * @throws ARO-FILE-001 or 002 that names the variable
 */
export async function checkSignInFiles(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const variable of variables) {
    const path = environment[variable];
    if (!path) continue;
    try {
      await readInputFile(path, maxBytes);
    } catch (error) {
      throw error instanceof Failure ? error.withMessage(`${variable}: ${error.message}`) : error;
    }
  }
}

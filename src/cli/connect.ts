/** From settings to Azure: whose credentials, which cloud, and for `local` the embedded Azure behind its door. */
import { openAzure, type Azure } from "../azure/azure.js";
import { clouds, type CloudName } from "../azure/cloud.js";
import { signIn } from "../azure/sign-in.js";
import { paceOf } from "../azure/pace.js";
import type { Wire } from "../azure/wire.js";
import { readAzureCreds } from "../files/azure-creds.js";
import { localDirectory, orLocalFailure } from "./local-world.js";
import { onBehalf, type Stage } from "./stage.js";
import {
  subscriptionIfGiven,
  subscriptionInFile,
  subscriptionOf,
  type SubscriptionInFile,
  type SubscriptionSources,
} from "./subscription.js";
import { version } from "./version.js";

export interface ConnectSettings {
  readonly cloud: CloudName;
  readonly azureCreds: string | undefined;
  readonly subscription: string | undefined;
  /** What the document of --infra-json says, where there is one. */
  readonly documentSubscription?: SubscriptionInFile | undefined;
  /** Whether the work can begin without any: the connection's is empty then. */
  readonly subscriptionNeeded?: false;
  readonly debug: boolean;
}

export interface Session {
  readonly azure: Azure;
  close(): Promise<void>;
}

export async function connect(settings: ConnectSettings, environment: NodeJS.ProcessEnv, stage: Stage): Promise<Session> {
  verifyCertificates(environment, stage);
  const local = settings.cloud === "local" ? await enterLocal(environment) : undefined;
  try {
    return await openSession(settings, environment, stage, local);
  } catch (error) {
    // An open door would keep the process alive.
    await local?.door.close();
    throw error;
  }
}

async function openSession(
  { cloud, azureCreds, subscription, documentSubscription, subscriptionNeeded, debug }: ConnectSettings,
  environment: NodeJS.ProcessEnv,
  stage: Stage,
  local: Awaited<ReturnType<typeof enterLocal>> | undefined,
): Promise<Session> {
  const credsFile = azureCreds ?? local?.door.credentialsFile;
  const creds = credsFile === undefined ? undefined : await readAzureCreds(credsFile);
  for (const notice of creds?.notices ?? []) stage.say(`notice: ${notice}`);
  const profile = clouds[cloud];
  const tenantId = creds?.tenantId ?? environment["AZURE_TENANT_ID"];
  const wire: Wire = {
    pace: paceOf(local?.door.timeScale ?? 1),
    ...(local && { agent: local.agent }),
    ...(debug && { log: (line: string) => stage.say(`debug: ${line}`) }),
    current: onBehalf(stage),
  };
  const sources: SubscriptionSources = {
    setting: subscription,
    credentials: subscriptionInFile(creds?.subscriptionId, credsFile),
    document: documentSubscription,
    variable: environment["AZURE_SUBSCRIPTION_ID"],
  };
  return {
    azure: openAzure({
      ...wire,
      cloud: profile,
      tenantId: tenantId ?? "",
      subscriptionId: subscriptionNeeded === false ? (subscriptionIfGiven(sources) ?? "") : subscriptionOf(sources),
      credential: await signIn(tenantId === undefined ? undefined : { tenantId, ...creds?.servicePrincipal }, profile, wire),
      userAgent: `aro-hcp/${version}`,
    }),
    close: async () => local?.door.close(),
  };
}

/** Node would take any certificate with this variable, and send secrets to whoever answers. */
function verifyCertificates(environment: NodeJS.ProcessEnv, stage: Stage): void {
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") return;
  delete environment["NODE_TLS_REJECT_UNAUTHORIZED"];
  stage.say("notice: NODE_TLS_REJECT_UNAUTHORIZED=0 is not heeded: certificates are always verified");
}

/** Joins the embedded Azure that serves the directory, or opens it in this process. */
async function enterLocal(environment: NodeJS.ProcessEnv) {
  const { agentFor, enterEmbeddedAzure } = await import("../embedded-azure/index.js");
  return orLocalFailure(async () => {
    const door = await enterEmbeddedAzure(localDirectory(environment), environment);
    return { door, agent: agentFor(door) };
  });
}

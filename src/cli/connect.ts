/** From settings to Azure: whose credentials, which cloud, and for `local` the embedded Azure behind its door. */
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { homedir } from "node:os";
import { join } from "node:path";
import { openAzure, type Azure } from "../azure/azure.js";
import { clouds, type CloudName } from "../azure/cloud.js";
import { signIn } from "../azure/credential.js";
import { paceOf } from "../azure/pace.js";
import { Failure } from "../errors/failure.js";
import { readAzureCreds, type AzureCreds } from "../files/azure-creds.js";
import { onBehalf, type Stage } from "./stage.js";
import { version } from "./version.js";

export interface ConnectSettings {
  readonly cloud: CloudName;
  readonly azureCreds: string | undefined;
  readonly subscription: string | undefined;
}

export interface Session {
  readonly azure: Azure;
  close(): Promise<void>;
}

/** Where the embedded Azure keeps its world. */
export function localDirectory(environment: NodeJS.ProcessEnv): string {
  return environment["ARO_HCP_LOCAL_DIR"] || join(homedir(), ".aro-hcp", "local");
}

export async function connect(
  { cloud, azureCreds, subscription }: ConnectSettings,
  environment: NodeJS.ProcessEnv,
  stage: Stage,
): Promise<Session> {
  const local = cloud === "local" ? await enterLocal(environment) : undefined;
  const credsFile = azureCreds ?? local?.door.credentialsFile;
  const creds = credsFile === undefined ? undefined : await readAzureCreds(credsFile);
  for (const notice of creds?.notices ?? []) stage.say(`notice: ${notice}`);
  const profile = clouds[cloud];
  const tenantId = creds?.tenantId ?? environment["AZURE_TENANT_ID"];
  const credential = await signIn(
    tenantId === undefined ? undefined : { tenantId, ...creds?.servicePrincipal },
    profile,
    local ? [local.transport] : [],
  );
  return {
    azure: openAzure({
      cloud: profile,
      tenantId: tenantId ?? "",
      subscriptionId: subscriptionOf(subscription, creds),
      credential,
      ...(local && { agent: local.agent }),
      pace: paceOf(local?.door.timeScale ?? 1),
      userAgent: `aro-hcp/${version}`,
      current: onBehalf(stage),
    }),
    close: async () => local?.door.close(),
  };
}

function subscriptionOf(subscription: string | undefined, creds: AzureCreds | undefined): string {
  const id = subscription ?? creds?.subscriptionId;
  if (id !== undefined) return id;
  throw new Failure("ARO-USAGE-001", "no subscription is given", {
    next: ["pass --subscription, set AZURE_SUBSCRIPTION_ID, or pass a credentials file with --azure-creds"],
  });
}

/** Joins the embedded Azure that serves the directory, or opens it in this process. */
async function enterLocal(environment: NodeJS.ProcessEnv) {
  const { agentFor, EmbeddedAzureError, enterEmbeddedAzure } = await import("../embedded-azure/index.js");
  try {
    const door = await enterEmbeddedAzure(localDirectory(environment), environment);
    const agent = agentFor(door);
    return {
      door,
      agent,
      transport: {
        name: "aroHcpEmbeddedAzurePolicy",
        sendRequest: (request, next) => {
          request.agent = agent;
          return next(request);
        },
      } satisfies PipelinePolicy,
    };
  } catch (error) {
    if (error instanceof EmbeddedAzureError) throw new Failure("ARO-LOCAL-001", error.message, { cause: error });
    throw error;
  }
}

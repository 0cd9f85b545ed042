/** Runs the doctor in process on its own emulator state, which tests can change between runs. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openAzure, type Azure } from "../../src/azure/azure.js";
import { clouds } from "../../src/azure/cloud.js";
import { scaledClock } from "../../src/azure/clock.js";
import { signIn } from "../../src/azure/sign-in.js";
import { toFailure } from "../../src/azure/to-failure.js";
import type { Transport } from "../../src/azure/transport.js";
import { currentStep } from "../../src/engine/current-step.js";
import { agentFor, openEmulator, seedState } from "../../src/emulator/index.js";
import { wellKnown } from "../../src/emulator/state/seed.js";
import { readAzureCreds } from "../../src/files/azure-creds.js";
import { groupNames } from "../../src/domain/names.js";
import { parts } from "../../src/domain/create-parts.js";
import { renderedResult, type RenderedResult as Result } from "../../src/cli/run/verification.js";
import { doctorCheckInstances } from "../../src/verify/doctor/check-instances.js";
import type { DoctorRequest } from "../../src/verify/doctor/request.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { runChecks } from "../../src/verify/run.js";
import { stateTemplate } from "../harness/test-emulator.js";

/** The request for `create all --name demo --infra-id demo-x7k2`, on a suitable machine. */
export const healthy: DoctorRequest = {
  machine: { nodeVersion: "20.19.0", requiredNodeVersion: ">=20.19", now: () => new Date() },
  parts: new Set(parts),
  location: "eastus",
  groups: {
    ...groupNames("documented", { name: "demo", infraId: "demo-x7k2" }),
    privateZone: "demo-demo-x7k2-vnet",
    dns: "dns",
    identities: "demo-common",
    issuer: "demo-oidc",
  },
  existing: new Set(),
  egress: "load-balancer",
  wanted: {
    cluster: { name: "demo", infraId: "demo-x7k2" },
    identities: { name: "demo", subscriptionId: wellKnown.subscriptionId, groupName: "demo-common", vaultName: "kv-demo-1" },
    issuer: {
      ...{
        group: "demo-oidc",
        account: "demo",
        container: "demo",
        owner: { identitySet: "demo" },
        subscriptionId: wellKnown.subscriptionId,
      },
      ...{ location: "eastus", url: "https://demo.blob.core.windows.net/demo", tags: {}, retiredKeys: [] },
    },
    zone: { baseDomain: "hcp.example.com", dnsZoneGroup: "dns" },
  },
  register: false,
};

export interface DoctorState {
  readonly directory: string;
  readonly azure: Azure;
  examine(changes?: Partial<DoctorRequest>): Promise<Result[]>;
  seed(document: unknown): Promise<void>;
  /** Signs in again, optionally with another secret or as another client; an empty subscriptionId means no subscription. */
  signedIn(client?: { readonly clientId?: string; readonly clientSecret?: string; readonly subscriptionId?: "" }): Promise<DoctorState>;
}

/** Deleted when the test ends. `environment` is the emulator's. */
export async function doctorState(environment: Readonly<Record<string, string>> = {}): Promise<DoctorState> {
  const root = await mkdtemp(join(tmpdir(), "aro-hcp-doctor-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const directory = join(root, "state");
  await cp(await stateTemplate(), directory, { recursive: true });
  const server = await openEmulator({ directory, environment });
  const agent = agentFor(server);
  onTestFinished(async () => {
    agent.destroy();
    await server.close();
  });
  const { subscriptionId, tenantId, servicePrincipal } = await readAzureCreds(server.credentialsFile);
  const transport: Transport = { clock: scaledClock(server.timeScale), agent, signal: new AbortController().signal, current: currentStep };

  const signedIn: DoctorState["signedIn"] = async (client) => {
    const azure = openAzure({
      ...transport,
      cloud: clouds.local,
      tenantId: tenantId ?? "",
      subscriptionId: client?.subscriptionId ?? subscriptionId ?? "",
      credential: await signIn({ tenantId: tenantId ?? "", ...servicePrincipal, ...client }, clouds.local, transport),
      userAgent: "test",
    });
    return {
      directory,
      azure,
      signedIn,
      seed: (document) => seedState(directory, document),
      examine: async (changes = {}) => {
        const results = await runChecks(doctorCheckInstances(azure, { ...healthy, ...changes }), {
          concurrency: 16,
          signal: new AbortController().signal,
          emit: () => undefined,
          elapsedMs: () => performance.now(),
          toFailure,
        });
        return results.map((result) => renderedResult(result, plainAdvice));
      },
    };
  };
  return signedIn();
}

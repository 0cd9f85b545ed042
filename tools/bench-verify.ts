/** Times one verification of identities and its slowest chain: check instances that run in sequence because each needs the result of the last. */
import { openAzure, type Azure } from "../src/azure/azure.js";
import { clouds } from "../src/azure/cloud.js";
import { earlyRequests } from "../src/azure/early-requests.js";
import { scaledClock } from "../src/azure/clock.js";
import { systemRandom } from "../src/azure/random.js";
import { signIn } from "../src/azure/sign-in.js";
import { signedIn } from "../src/azure/signed-in.js";
import { toFailure } from "../src/azure/to-failure.js";
import type { Operation } from "../src/azure/transport.js";
import { givenFiles, identityChain } from "../src/cli/inputs/identity-chain.js";
import { agentFor, connectEmulator, type Emulator } from "../src/emulator/index.js";
import { currentStep } from "../src/engine/current-step.js";
import { readAzureCreds } from "../src/files/azure-creds.js";
import { readDocument } from "../src/files/read.js";
import { resolveSettings } from "../src/settings/resolve.js";
import { identityCheckInstances } from "../src/verify/identities/check-instances.js";
import type { CheckInstance } from "../src/verify/check-instance.js";
import { runChecks } from "../src/verify/run.js";

export interface VerifyTimes {
  /** From the first check instance to the last. */
  readonly wallMs: number;
  readonly chainMs: number;
  readonly instances: number;
}

/**
 * Runs in this process against the emulator that serves `state`.
 * @throws Error if a check fails or warns.
 */
export async function timeVerification(state: string, inputDir: string): Promise<VerifyTimes> {
  const environment = { ARO_HCP_LOCAL_DIR: state };
  const flags = { cloud: "local", inputDir };
  const { settings } = await resolveSettings("verify identities", { flags, environment, readConfig: readDocument });
  const server = await connectEmulator(state, environment);
  try {
    const azure = await azureBehind(server);
    const files = await givenFiles(settings, { environment, clock: azure.connection.clock });
    const chain = identityChain(files, settings, await signedIn(azure.connection), undefined, azure.connection.clock);
    const took = new Map<string, number>();
    const instances = identityCheckInstances(azure, chain).map((instance) => timed(instance, took));
    const began = performance.now();
    const results = await runChecks(instances, {
      concurrency: settings.concurrency,
      signal: new AbortController().signal,
      emit: () => undefined,
      elapsedMs: () => performance.now(),
      toFailure,
    });
    const wallMs = performance.now() - began;
    const broken = results.filter(({ state }) => state === "failed" || state === "warning");
    if (broken.length > 0) throw new Error(`the state to verify is broken: ${JSON.stringify(broken)}`);
    return { wallMs, chainMs: slowestChain(instances, took), instances: instances.length };
  } finally {
    await server.close();
  }
}

async function azureBehind(server: Emulator): Promise<Azure> {
  const { subscriptionId = "", tenantId = "", servicePrincipal } = await readAzureCreds(server.credentialsFile);
  const transport = {
    clock: scaledClock(server.timeScale),
    random: systemRandom,
    agent: agentFor(server),
    operations: new Set<Operation>(),
    early: earlyRequests(),
    signal: new AbortController().signal,
    current: currentStep,
  };
  const credential = await signIn({ tenantId, ...servicePrincipal }, clouds.local, transport);
  return openAzure({ ...transport, cloud: clouds.local, tenantId, subscriptionId, credential, userAgent: "bench" });
}

function timed(instance: CheckInstance, took: Map<string, number>): CheckInstance {
  const { run } = instance.declared;
  return {
    ...instance,
    declared: {
      ...instance.declared,
      async run(...given) {
        const began = performance.now();
        try {
          return await run(...given);
        } finally {
          took.set(instance.id, performance.now() - began);
        }
      },
    },
  };
}

function slowestChain(instances: readonly CheckInstance[], took: ReadonlyMap<string, number>): number {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const chains = new Map<string, number>();
  const chainTo = (id: string): number => {
    const known = chains.get(id);
    if (known !== undefined) return known;
    const length = (took.get(id) ?? 0) + Math.max(0, ...(byId.get(id)?.needs ?? []).map(chainTo));
    chains.set(id, length);
    return length;
  };
  return Math.max(0, ...instances.map(({ id }) => chainTo(id)));
}

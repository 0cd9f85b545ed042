/** Times one verification of identities, and its slowest chain: the inspections that go one after the other, since each needs what the last one saw. */
import { openAzure, type Azure } from "../src/azure/azure.js";
import { clouds } from "../src/azure/cloud.js";
import { paceOf } from "../src/azure/pace.js";
import { signIn } from "../src/azure/sign-in.js";
import { signedIn } from "../src/azure/signed-in.js";
import { toFailure } from "../src/azure/to-failure.js";
import { givenFiles, identityChain } from "../src/cli/identity-chain.js";
import { agentFor, enterEmbeddedAzure, type EmbeddedAzure } from "../src/embedded-azure/index.js";
import { currentStep } from "../src/engine/current-step.js";
import { readAzureCreds } from "../src/files/azure-creds.js";
import { readDocument } from "../src/files/read.js";
import { resolveSettings } from "../src/settings/resolve.js";
import { identityInspections } from "../src/verify/identities/inspections.js";
import type { Inspection } from "../src/verify/inspection.js";
import { runInspections } from "../src/verify/run.js";

export interface VerifyTimes {
  /** From the first inspection to the last. */
  readonly wallMs: number;
  readonly chainMs: number;
  readonly inspections: number;
}

/** In this process, against the world that is served in `world`. @throws Error where that is not sound. */
export async function timeVerification(world: string, inputDir: string): Promise<VerifyTimes> {
  const environment = { ARO_HCP_LOCAL_DIR: world };
  const flags = { cloud: "local", inputDir };
  const { settings } = await resolveSettings("verify identities", { flags, environment, readConfig: readDocument });
  const door = await enterEmbeddedAzure(world, environment);
  try {
    const azure = await azureBehind(door);
    const chain = identityChain(await givenFiles(settings), settings, await signedIn(azure.connection), undefined);
    const took = new Map<string, number>();
    const inspections = identityInspections(azure, chain).map((inspection) => timed(inspection, took));
    const began = performance.now();
    const results = await runInspections(inspections, {
      concurrency: settings.concurrency,
      signal: new AbortController().signal,
      emit: () => undefined,
      now: () => performance.now(),
      toFailure,
    });
    const wallMs = performance.now() - began;
    const broken = results.filter(({ state }) => state === "failed" || state === "warning");
    if (broken.length > 0) throw new Error(`the world is not sound: ${JSON.stringify(broken)}`);
    return { wallMs, chainMs: slowestChain(inspections, took), inspections: inspections.length };
  } finally {
    await door.close();
  }
}

async function azureBehind(door: EmbeddedAzure): Promise<Azure> {
  const { subscriptionId = "", tenantId = "", servicePrincipal } = await readAzureCreds(door.credentialsFile);
  const wire = { pace: paceOf(door.timeScale), agent: agentFor(door), current: currentStep };
  const credential = await signIn({ tenantId, ...servicePrincipal }, clouds.local, wire);
  return openAzure({ ...wire, cloud: clouds.local, tenantId, subscriptionId, credential, userAgent: "bench" });
}

function timed(inspection: Inspection, took: Map<string, number>): Inspection {
  const { look } = inspection.declared;
  return {
    ...inspection,
    declared: {
      ...inspection.declared,
      async look(...given) {
        const began = performance.now();
        try {
          return await look(...given);
        } finally {
          took.set(inspection.id, performance.now() - began);
        }
      },
    },
  };
}

function slowestChain(inspections: readonly Inspection[], took: ReadonlyMap<string, number>): number {
  const byId = new Map(inspections.map((inspection) => [inspection.id, inspection]));
  const chains = new Map<string, number>();
  const chainTo = (id: string): number => {
    const known = chains.get(id);
    if (known !== undefined) return known;
    const length = (took.get(id) ?? 0) + Math.max(0, ...(byId.get(id)?.needs ?? []).map(chainTo));
    chains.set(id, length);
    return length;
  };
  return Math.max(0, ...inspections.map(({ id }) => chainTo(id)));
}

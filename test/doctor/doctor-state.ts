/** Runs the doctor in process on its own emulator state, which tests can change between runs. */
import { defaultEgress } from "../../src/domain/egress.js";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Azure } from "../../src/azure/azure.js";
import { toFailure } from "../../src/azure/to-failure.js";
import { seedState } from "../../src/emulator/index.js";
import { wellKnown } from "../../src/emulator/state/well-known.js";
import { groupNames } from "../../src/domain/names.js";
import { parts } from "../../src/domain/create-parts.js";
import { renderedResult, type RenderedResult as Result } from "../../src/run/verification.js";
import { doctorCheckInstances } from "../../src/doctor/check-instances.js";
import type { DoctorRequest } from "../../src/preflight/request.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { runChecks } from "../../src/verify/run.js";
import { stateTemplate } from "../harness/test-emulator.js";
import { emulatorConnection, type ClientChanges } from "../harness/connected-azure.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

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
  egress: defaultEgress,
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
  planned: () => parts.map((part) => ({ part, steps: [], missing: [] })),
  clusters: 1,
  register: false,
};

export interface DoctorState {
  readonly directory: string;
  readonly azure: Azure;
  examine(changes?: Partial<DoctorRequest>): Promise<Result[]>;
  seed(document: unknown): Promise<void>;
  /** Signs in again, optionally with another secret or as another client; an empty subscriptionId means no subscription. */
  signedIn(client?: ClientChanges): Promise<DoctorState>;
}

/** Deleted when the test ends. `environment` is the emulator's. */
export async function doctorState(environment: Readonly<Record<string, string>> = {}): Promise<DoctorState> {
  const directory = join(temporaryDirectory().path, "state");
  await cp(await stateTemplate(), directory, { recursive: true });
  const connect = await emulatorConnection(directory, environment);

  const signedIn: DoctorState["signedIn"] = async (client) => {
    const azure = await connect(client);
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

/** Azure clients that are signed in to an emulator in the process of the test. */
import { setMaxListeners } from "node:events";
import { onTestFinished } from "vitest";
import { openAzure, type Azure } from "../../src/azure/azure.js";
import { scaledClock } from "../../src/azure/clock.js";
import { clouds } from "../../src/azure/cloud.js";
import { earlyRequests } from "../../src/azure/early-requests.js";
import { systemRandom } from "../../src/azure/random.js";
import { signIn } from "../../src/azure/sign-in.js";
import type { Transport } from "../../src/azure/transport.js";
import { openInProcess } from "../../src/emulator/open-in-process.js";
import { currentStep } from "../../src/engine/current-step.js";
import { readAzureCreds } from "../../src/files/azure-creds.js";
import { testEmulator } from "./test-emulator.js";

/** Replaces values of the emulator's credentials file. An empty subscription ID means no subscription. */
export interface ClientChanges {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly subscriptionId?: "";
}

/** Signs in to the emulator. */
export type Connect = (changes?: ClientChanges) => Promise<Azure>;

/** Opens the emulator of a state directory, without a server, until the test ends. `environment` is that of the emulator. */
export async function emulatorConnection(directory: string, environment: Readonly<Record<string, string>> = {}): Promise<Connect> {
  const emulator = await openInProcess({ directory, environment: { ARO_HCP_LOCAL_TIME_SCALE: "100", ...environment } }, () => {
    throw new Error("a fault rule kills the process of the test");
  });
  onTestFinished(() => emulator.close());
  const { subscriptionId = "", tenantId = "", servicePrincipal } = await readAzureCreds(emulator.credentialsFile);
  const { signal } = new AbortController();
  // Every request in flight listens to it, as in a run of the program.
  setMaxListeners(0, signal);
  const transport: Transport = {
    clock: scaledClock(emulator.timeScale),
    random: systemRandom,
    send: emulator.send,
    operations: new Set(),
    early: earlyRequests(),
    signal,
    current: currentStep,
  };
  return async (changes) => {
    const credential = await signIn({ tenantId, ...servicePrincipal, ...changes }, clouds.local, transport);
    const subscription = changes?.subscriptionId ?? subscriptionId;
    return openAzure({ ...transport, cloud: clouds.local, tenantId, subscriptionId: subscription, credential, userAgent: "test" });
  };
}

/** A client of the emulator's own principal. */
export async function connectedAzure(directory: string, environment?: Readonly<Record<string, string>>): Promise<Azure> {
  const connect = await emulatorConnection(directory, environment);
  return connect();
}

/** The same, of a new emulator; `listed` gets the path of each list that Resource Manager is asked for. */
export async function listingAzure(): Promise<{ readonly azure: Azure; readonly listed: readonly string[] }> {
  const { directory } = await testEmulator();
  const connected = await connectedAzure(directory);
  const manager = await connected.manager();
  const listed: string[] = [];
  const list: typeof manager.list = (path, ...rest) => {
    listed.push(path);
    return manager.list(path, ...rest);
  };
  return { azure: { ...connected, manager: () => Promise.resolve({ ...manager, list }) }, listed };
}

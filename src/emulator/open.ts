/** Opens the emulator on the state of a directory, in this process, with a server. */
import { systemClock, type EmulatorClock } from "./common/clock.js";
import { coreOf } from "./services/all-services.js";
import { emulatorRoutes } from "./listeners/emulator-routes.js";
import { systemRandom, type EmulatorRandom } from "./common/random.js";
import { ensureCertificates } from "./listeners/server-certificates.js";
import { openConnectProxy } from "./listeners/connect-proxy.js";
import type { Core } from "./core/reaction.js";
import { openHttpsServer } from "./listeners/https-server.js";
import { readLocalSettings, type Environment } from "./core/local-settings.js";
import { credentialsFileOf } from "./state/files.js";
import { ensureCredentials, readCredentials } from "./state/credentials.js";
import { freshState } from "./state/seed.js";
import { StateStore } from "./state/store.js";

/** A running server, in this process or another. */
export interface Emulator {
  /** Loopback port of the HTTPS server. */
  readonly port: number;
  /** Loopback port of the CONNECT proxy, if it runs. */
  readonly proxyPort: number | undefined;
  /** PEM of the authority that clients must trust. */
  readonly ca: string;
  readonly caFile: string;
  /** Whether clients may have read another authority from the file, before the server started. */
  readonly isCaReplaced: boolean;
  /** hypershift's `azure-creds.json`, mode 0600. */
  readonly credentialsFile: string;
  /** How many seconds of Azure's clock pass in a real second. */
  readonly timeScale: number;
  /** Stops a server of this process; one of another process keeps running. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly directory: string;
  readonly environment: Environment;
  /** The clock of this machine if absent. */
  readonly clock?: EmulatorClock;
  /** The random values of this machine if absent. */
  readonly random?: EmulatorRandom;
  /** 0, the default, for any free port. */
  readonly port?: number;
  readonly proxyPort?: number;
  /** Where the proxy listens: only for programs of this computer by default. The HTTPS server always does. */
  readonly proxyAddress?: string;
  /** Whether to start a CONNECT proxy too: false by default. */
  readonly proxy?: boolean;
}

/** @throws EmulatorError for an invalid setting, port or directory, EmulatorStateError for damage: each request would fail, and clients repeat it */
export async function openEmulator(options: OpenOptions): Promise<Emulator> {
  return openServer(await openCore(options), options);
}

/** The ports of what is already open. */
export async function openServer(core: Omit<Core, "fetch">, options: OpenOptions): Promise<Emulator> {
  const { directory } = options;
  const { timeScale, random } = core;
  // Clients check it by real time, whatever the clock says.
  const identity = await ensureCertificates(directory, systemClock.now().getTime(), random);
  const server = await openHttpsServer({ ...core, identity, routes: emulatorRoutes({ ...core, directory }), port: options.port ?? 0 });
  const proxy = options.proxy ? await openConnectProxy(server.port, options.proxyPort ?? 0, options.proxyAddress) : undefined;
  return {
    port: server.port,
    proxyPort: proxy?.port,
    ca: identity.ca,
    caFile: identity.caFile,
    isCaReplaced: identity.isReplaced,
    credentialsFile: credentialsFileOf(directory),
    timeScale,
    close: async () => {
      await proxy?.close();
      await server.close();
    },
  };
}

/** @throws EmulatorError as `openEmulator` */
export async function openCore({
  directory,
  environment,
  clock = systemClock,
  random = systemRandom,
}: OpenOptions): Promise<Omit<Core, "fetch">> {
  const settings = await readLocalSettings(environment);
  const store = openState(directory, random);
  store.check();
  readCredentials(directory);
  return coreOf(store, { clock, random }, settings);
}

/** The state of `directory`, created with its credentials at first use. */
export function openState(directory: string, random = systemRandom): StateStore {
  return StateStore.open(directory, () => freshState(ensureCredentials(directory, random).clientSecret));
}

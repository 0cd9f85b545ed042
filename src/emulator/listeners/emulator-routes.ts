/** The server's own routes under `localhost`: identity, reset, seed, snapshots and state. */
import { createHash, timingSafeEqual } from "node:crypto";
import { EmulatorError, EmulatorInputError } from "../common/emulator-error.js";
import { errorAnswer } from "../core/error-envelope.js";
import { asApiError } from "../core/reaction.js";
import { bytesOf, parsedJson } from "../core/read-request.js";
import { ApiError, type Answer, type ApiRequest } from "../core/service.js";
import { readCredentials } from "../state/credentials.js";
import type { KeptState } from "../state/kept-state.js";
import { freshState } from "../state/seed.js";
import type { StateStore } from "../state/store.js";
import { largestSeed, seedStore, snapshotOfStore } from "../services/store-commands.js";
import type { ClockAndRandom } from "../common/random.js";

export interface EmulatorDeps extends ClockAndRandom {
  readonly directory: string;
  readonly store: StateStore;
}

/**
 * Answers a request to the server itself; `body` is read only by routes that have one. These
 * routes are no part of Azure, so no fault rule, throttle or record includes them.
 */
export type EmulatorRoutes = (head: ApiRequest, body: AsyncIterable<unknown>) => Promise<Answer>;

type Route = (given: { readonly id: string; readonly body: AsyncIterable<unknown> }) => Answer | Promise<Answer>;

/** Each is as large as the state. */
const mostSnapshots = 20;

const done: Answer = { status: 204 };

export function emulatorRoutes(deps: EmulatorDeps): EmulatorRoutes {
  const routes = routesOf(deps);
  const { directory, store, clock, random } = deps;
  return async (head, body) => {
    // How `joinEmulator` recognizes the server.
    if (head.path.length === 0) return { status: 200, body: { emulator: { pid: process.pid, problem: problemOf(store) } } };
    try {
      authenticate(head, directory);
      return await routeOf(head, routes)(body);
    } catch (error) {
      return errorAnswer(asApiError(error, head), head, { requestId: random.uuid(), now: clock.now().getTime() });
    }
  };
}

function routesOf({ directory, store, clock, random }: EmulatorDeps): Readonly<Record<string, Route>> {
  const snapshots = new Map<string, KeptState>();
  return {
    "POST /emulator/reset": () => {
      store.replace(freshState(readCredentials(directory).clientSecret));
      return done;
    },
    "POST /emulator/seed": async ({ body }) => {
      const document = parsedJson((await bytesOf(body, largestSeed)).toString());
      try {
        await seedStore(store, document, { clock, random });
      } catch (error) {
        throw error instanceof EmulatorInputError ? new ApiError(400, "InvalidSeedDocument", error.message) : error;
      }
      return done;
    },
    "GET /emulator/state": async () => ({ status: 200, body: await snapshotOfStore(store, clock) }),
    "POST /emulator/snapshots": async () => {
      const kept = await store.keep();
      if (snapshots.size >= mostSnapshots) {
        const message = `The server keeps at most ${mostSnapshots} snapshots. Delete one: DELETE /emulator/snapshots/ID.`;
        throw new ApiError(409, "TooManySnapshots", message);
      }
      const id = random.uuid();
      snapshots.set(id, kept);
      return { status: 201, body: { id } };
    },
    "POST /emulator/snapshots/ID/restore": async ({ id }) => {
      await store.restore(kept(id));
      return done;
    },
    "DELETE /emulator/snapshots/ID": ({ id }) => {
      kept(id);
      snapshots.delete(id);
      return done;
    },
  };

  function kept(id: string): KeptState {
    const found = snapshots.get(id);
    if (found === undefined) throw new ApiError(404, "SnapshotNotFound", `This server keeps no snapshot '${id}'.`);
    return found;
  }
}

function routeOf(
  { method, path }: ApiRequest,
  routes: Readonly<Record<string, Route>>,
): (body: AsyncIterable<unknown>) => ReturnType<Route> {
  const id = path[1] === "snapshots" ? (path[2] ?? "") : "";
  const named = `${method} /${path.map((segment) => (segment === id ? "ID" : segment)).join("/")}`;
  const route = Object.hasOwn(routes, named) ? routes[named] : undefined;
  if (route === undefined) {
    const message = `The emulator has no route ${method} /${path.join("/")}. It has: ${Object.keys(routes).join(", ")}.`;
    throw new ApiError(404, "RouteNotFound", message);
  }
  return (body) => route({ id, body });
}

/** @throws ApiError 401 without the secret of the directory. Whoever can read its file can change the state anyway. */
function authenticate({ headers }: ApiRequest, directory: string): void {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "") ?? [];
  // Digests have one length, which `timingSafeEqual` requires.
  const [left, right] = [given, readCredentials(directory).clientSecret].map((text) => createHash("sha256").update(text).digest());
  if (left !== undefined && right !== undefined && timingSafeEqual(left, right)) return;
  // Whoever asks without the secret learns no path of this machine.
  const message =
    "The header must be 'Authorization: Bearer SECRET' with the clientSecret of azure-creds.json in the emulator's directory.";
  throw new ApiError(401, "AuthenticationFailed", message, { headers: { "www-authenticate": "Bearer" } });
}

/** Why the state cannot be used: a client that knows it sends no request. */
function problemOf(store: StateStore): string | undefined {
  try {
    store.check();
    return undefined;
  } catch (error) {
    if (error instanceof EmulatorError) return error.message;
    throw error;
  }
}

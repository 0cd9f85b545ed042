/** Tells whether principals exist. Each request also asks for objects that must be in its answer. */
import type { Azure } from "../../azure/azure.js";
import type { DirectoryObject } from "../../azure/directory.js";
import { signedIn } from "../../azure/signed-in.js";
import { toFailure } from "../../azure/to-failure.js";
import { Failure } from "../../errors/failure.js";
import type { Unread } from "../domain/estate.js";

export type PrincipalState =
  | "present"
  /** Neither in the directory nor in its bin. */
  | "absent"
  /** In the bin, from where the principal of a managed identity never comes back. */
  | "deleted identity"
  /** In the bin with its application, which can be restored. */
  | "restorable"
  | "unknown";

export interface Principals {
  state(objectId: string): PrincipalState;
  /** The client ID of a service principal, living or in the bin. */
  appIdOf(objectId: string): string | undefined;
  /** One more look right before something is deleted because of it. @throws Failure if the answer proves nothing */
  isStillGone(objectId: string): Promise<boolean>;
  readonly unread: readonly Unread[];
}

/** What Graph takes in one request, without the controls. */
const mostIds = 990;

/** Reads the states of all, or says why they are unknown. */
export async function readPrincipals(azure: Azure, objectIds: readonly string[], signal: AbortSignal): Promise<Principals> {
  const ids = [...new Set(objectIds.map((id) => id.toLowerCase()))];
  const asked = new Set(ids);
  try {
    // The bin is read last: what is deleted in between is in one of them.
    const controls = await controlIds(azure);
    const present = await presentAmong(azure, ids, controls);
    const bin = await deletedPrincipals(azure);
    return {
      state(objectId) {
        const id = objectId.toLowerCase();
        if (!asked.has(id)) return "unknown";
        if (present.has(id)) return "present";
        const deleted = bin.get(id);
        if (deleted === undefined) return "absent";
        return deleted.servicePrincipalType === "ManagedIdentity" ? "deleted identity" : "restorable";
      },
      appIdOf: (objectId) => (present.get(objectId.toLowerCase()) ?? bin.get(objectId.toLowerCase()))?.appId,
      isStillGone: async (objectId) => !(await presentAmong(azure, [objectId.toLowerCase()], controls)).has(objectId.toLowerCase()),
      unread: [],
    };
  } catch (error) {
    signal.throwIfAborted();
    return unknownPrincipals(toFailure(error, "reading whether the principals of role assignments exist"));
  }
}

function unknownPrincipals(failure: Failure): Principals {
  return { state: () => "unknown", appIdOf: () => undefined, isStillGone: () => Promise.reject(failure), unread: [{ failure }] };
}

async function deletedPrincipals(azure: Azure) {
  const deleted = await (await azure.directory()).deletedPrincipals();
  return new Map(deleted.map((one) => [one.id.toLowerCase(), one]));
}

/** @throws Failure if the answer lacks an object that exists: without a right, or in another tenant, everything seems to be absent */
async function presentAmong(
  azure: Azure,
  ids: readonly string[],
  controls: readonly string[],
): Promise<ReadonlyMap<string, DirectoryObject>> {
  const directory = await azure.directory();
  const batches = Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, at) => ids.slice(at * mostIds, (at + 1) * mostIds));
  const answers = await Promise.all(
    batches.map(async (batch) => {
      const listed = await directory.objects([...new Set([...batch, ...controls])]);
      const found = new Map(listed.map((one) => [one.id.toLowerCase(), one]));
      const missing = controls.find((id) => !found.has(id));
      if (missing !== undefined) throw new Failure("ARO-AUTHZ-003", `the directory does not show object ${missing}, which exists`);
      return found;
    }),
  );
  return new Map(answers.flatMap((found) => [...found]));
}

/** The caller, and one more service principal. */
async function controlIds(azure: Azure): Promise<readonly string[]> {
  const [{ objectId }, other] = await Promise.all([
    signedIn(azure.connection),
    azure.directory().then((directory) => directory.anyOf("servicePrincipals")),
  ]);
  return [...new Set([objectId, ...(other ? [other.id] : [])].map((id) => id.toLowerCase()))];
}

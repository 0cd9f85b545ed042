/** Changes to the emulator's state between two runs: by the cloud provider, a colleague in the portal, another cluster. */
import { openState } from "../../src/emulator/open.js";
import type { StoredResource, AzureState } from "../../src/emulator/state/state.js";
import type { Application } from "../../src/emulator/state/application.js";
import type { TestEmulator } from "./test-emulator.js";

export type Properties = Record<string, unknown>;

/** A resource in a snapshot of the state. */
export interface SnapshotResource {
  readonly id: string;
  readonly type: string;
  readonly location?: string;
  readonly tags?: Record<string, string>;
  readonly sku?: Properties;
  readonly properties: Properties;
}

interface StateDirectory {
  /** Directory of the emulator's state. */
  readonly directory: string;
}

export async function resource(azure: TestEmulator, id: string): Promise<SnapshotResource | undefined> {
  return (await azure.snapshot()).resources[id.toLowerCase()] as SnapshotResource | undefined;
}

/** Updates an existing resource as a request to ARM does. */
export async function updateResource(
  azure: TestEmulator,
  id: string,
  change: (live: SnapshotResource) => Partial<SnapshotResource>,
): Promise<void> {
  const live = await resource(azure, id);
  if (live === undefined) throw new Error(`${id} not found`);
  const { location, tags, sku, properties } = { ...live, ...change(live) };
  const { provisioningState, ...writable } = properties;
  await azure.seed({
    resources: {
      [id]: { ...(location !== undefined && { location }), ...(tags && { tags }), ...(sku && { sku }), properties: writable },
    },
  });
}

/** Adds tags to an existing resource. */
export function addTags(azure: StateDirectory, id: string, more: Record<string, string>): Promise<void> {
  return changeResource(azure, id, (stored) => (stored.tags = { ...stored.tags, ...more }));
}

/** Changes the state directly, without the checks of a service. `change` keeps nothing of it. */
export async function changeState({ directory }: StateDirectory, change: (state: AzureState) => void): Promise<void> {
  await openState(directory).transact((state) => {
    change(state);
    return { value: undefined, commit: true };
  });
}

/** Deletes resources and their children, without the checks of a service. */
export function deleteResources(azure: StateDirectory, ...ids: readonly string[]): Promise<void> {
  return changeState(azure, ({ resources }) => {
    for (const key of Object.keys(resources)) {
      if (ids.some((id) => key === id.toLowerCase() || key.startsWith(`${id.toLowerCase()}/`))) delete resources[key];
    }
  });
}

/** Deletes applications for good. */
export function removeApplications({ applications }: AzureState, isGone: (application: Application) => boolean): void {
  for (const application of Object.values(applications).filter(isGone)) delete applications[application.appId];
}

/** Sets properties of a resource, without the checks of a service. */
export function setProperties(azure: StateDirectory, id: string, properties: Properties): Promise<void> {
  return changeResource(azure, id, (stored) => (stored.properties = { ...stored.properties, ...properties }));
}

/** Sets the provisioning state of a resource, for example to that of an operation in flight. */
export function setProvisioningState(azure: StateDirectory, id: string, provisioningState: string): Promise<void> {
  return setProperties(azure, id, { provisioningState });
}

export function changeResource(azure: StateDirectory, id: string, change: (stored: StoredResource) => unknown): Promise<void> {
  return changeState(azure, ({ resources }) => {
    const stored = resources[id.toLowerCase()];
    if (stored === undefined) throw new Error(`${id} not found`);
    change(stored);
  });
}

/** Written by someone else, as everybody may who may change the vault: through Resource Manager, without a role on its contents. */
export function addSecret(azure: StateDirectory, vaultName: string, name: string): Promise<void> {
  return changeState(azure, (state) => {
    const attributes = { enabled: true, created: 1, updated: 1 };
    const content = ((state.vaults ??= {})[vaultName] ??= { secrets: {}, certificates: {} });
    content.secrets[name] = { name, versions: [{ version: "0".repeat(32), value: "theirs", attributes }] };
  });
}

/** Changes to the emulator's state between two runs: by the cloud provider, a colleague in the portal, another cluster. */
import { openState } from "../../src/emulator/open.js";
import type { StoredResource, AzureState } from "../../src/emulator/state/state.js";
import type { TestEmulator } from "../harness/test-emulator.js";

export type Properties = Record<string, unknown>;

/** A resource in a snapshot of the state. */
export interface Snapshotted {
  readonly id: string;
  readonly type: string;
  readonly location?: string;
  readonly tags?: Record<string, string>;
  readonly sku?: Properties;
  readonly properties: Properties;
}

export async function resource(azure: TestEmulator, id: string): Promise<Snapshotted | undefined> {
  return (await azure.snapshot()).resources[id.toLowerCase()] as Snapshotted | undefined;
}

/** Writes an existing resource again, through ARM's own rules, with `change` applied. */
export async function rewrite(azure: TestEmulator, id: string, change: (live: Snapshotted) => Partial<Snapshotted>): Promise<void> {
  const live = await resource(azure, id);
  if (live === undefined) throw new Error(`${id} is not there`);
  const { location, tags, sku, properties } = { ...live, ...change(live) };
  const { provisioningState, ...writable } = properties;
  await azure.seed({
    resources: {
      [id]: { ...(location !== undefined && { location }), ...(tags && { tags }), ...(sku && { sku }), properties: writable },
    },
  });
}

/** Adds tags to an existing resource. */
export function tag(azure: TestEmulator, id: string, more: Record<string, string>): Promise<void> {
  return changeResource(azure, id, (stored) => (stored.tags = { ...stored.tags, ...more }));
}

/** Changes an existing resource, bypassing every service. */
export async function change(azure: TestEmulator, hand: (state: AzureState) => void): Promise<void> {
  await openState(azure.directory).transact((state) => {
    hand(state);
    return { value: undefined, commit: true };
  });
}

/** Deletes resources with their children, like a manual deletion. */
export function vanish(azure: TestEmulator, ...ids: readonly string[]): Promise<void> {
  return change(azure, ({ resources }) => {
    for (const key of Object.keys(resources)) {
      if (ids.some((id) => key === id.toLowerCase() || key.startsWith(`${id.toLowerCase()}/`))) delete resources[key];
    }
  });
}

/** Changes properties of a resource, bypassing ARM. */
export function alter(azure: TestEmulator, id: string, properties: Properties): Promise<void> {
  return changeResource(azure, id, (stored) => (stored.properties = { ...stored.properties, ...properties }));
}

/** Sets the provisioning state of a resource, like an operation in flight. */
export function setState(azure: TestEmulator, id: string, provisioningState: string): Promise<void> {
  return alter(azure, id, { provisioningState });
}

function changeResource(azure: TestEmulator, id: string, hand: (stored: StoredResource) => unknown): Promise<void> {
  return change(azure, ({ resources }) => {
    const stored = resources[id.toLowerCase()];
    if (stored === undefined) throw new Error(`${id} is not there`);
    hand(stored);
  });
}

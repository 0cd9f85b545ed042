/** The end of a private endpoint at a storage account or vault: a resource below it, which its owner approves. */
import type { AzureState, StoredResource } from "../state/state.js";
import { resourcesByUse } from "./indexes.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";
import { childrenOf, sameId } from "./uses.js";

const collection = "privateEndpointConnections";

interface Target {
  readonly nameOf: (target: StoredResource, connection: string, uuid: () => string) => string;
  /** Of a connection that nobody has to approve, as Azure first describes it. */
  readonly approved: Readonly<Record<string, string>>;
  readonly hasLocation?: true;
}

/** By lower-case type. */
const targets: Readonly<Record<string, Target>> = {
  "microsoft.storage/storageaccounts": {
    nameOf: ({ name }, _connection, uuid) => `${name}.${uuid()}`,
    approved: { status: "Approved", description: "Auto-Approved", actionRequired: "None" },
  },
  "microsoft.keyvault/vaults": {
    nameOf: (_target, connection) => connection,
    approved: { status: "Approved", actionsRequired: "None" },
    hasLocation: true,
  },
};

export interface Connecting {
  readonly name: string;
  /** ID of what the endpoint is for. */
  readonly to: string;
  /** The request of a connection that somebody has to approve. */
  readonly request: string | undefined;
}

/** Stores the ends of an endpoint's connections that its targets do not have yet. */
export function connect({ state, uuid }: Pick<ArmCall, "state" | "uuid">, endpoint: string, connections: readonly Connecting[]): void {
  for (const { name, to, request } of connections) {
    const target = state.resources[keyOf(to)];
    const end = targets[keyOf(target?.type ?? "")];
    if (target === undefined || end === undefined || childrenOf(state, target.id, collection).some((one) => isOf(one, endpoint))) continue;
    const own = end.nameOf(target, name, uuid);
    const id = `${target.id}/${collection}/${own}`;
    const pending = { status: "Pending", ...(request !== undefined && { description: request }) };
    state.resources[keyOf(id)] = {
      id,
      name: own,
      type: `${target.type}/${collection}`,
      ...(end.hasLocation && { beside: { location: target.location } }),
      properties: {
        provisioningState: "Succeeded",
        privateEndpoint: { id: endpoint },
        privateLinkServiceConnectionState: { ...end.approved, ...(request !== undefined && pending) },
      },
    };
  }
}

/** The ends of an endpoint that is deleted go with it. */
export function disconnect({ resources }: AzureState, endpoint: string): void {
  for (const end of resourcesByUse.find(resources, keyOf(endpoint))) if (isOf(end, endpoint)) delete resources[keyOf(end.id)];
}

/** The status of a connection at its target, whose owner approves or rejects it; undefined of a target without ends. */
export function statusAt(state: AzureState, endpoint: string, target: string): string | undefined {
  const end = childrenOf(state, target, collection).find((one) => isOf(one, endpoint));
  return (end?.properties["privateLinkServiceConnectionState"] as { readonly status?: string } | undefined)?.status;
}

function isOf({ type, properties }: StoredResource, endpoint: string): boolean {
  const { id = "" } = (properties["privateEndpoint"] ?? {}) as { readonly id?: string };
  return type.endsWith(`/${collection}`) && sameId(id, endpoint);
}

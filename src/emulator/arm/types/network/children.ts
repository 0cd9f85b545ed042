/** Children that have a PUT of their own and are also written through their parent: subnets and security rules. */
import { ApiError } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { removeTree } from "../../removal.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall, Moment } from "../../resource-type.js";
import { childrenOf, parentResource, sameId } from "../../uses.js";

interface Child {
  readonly name: string;
  readonly properties: Record<string, unknown>;
}

/** Makes the stored children of `parent` exactly `wanted`, in that order: all others are removed. */
export function replaceChildren(call: ArmCall, parent: string, type: string, wanted: readonly Child[]): void {
  const { state } = call;
  const collection = type.slice(type.lastIndexOf("/") + 1);
  for (const { id, name } of childrenOf(state, parent, collection)) {
    if (!wanted.some((child) => sameId(child.name, name))) removeTree(state, id);
  }
  for (const { name, properties } of wanted) {
    const id = `${parent}/${collection}/${name}`;
    delete state.resources[keyOf(id)];
    state.resources[keyOf(id)] = { id, name, type, etag: `W/"${call.uuid()}"`, properties };
  }
}

/** No two parts of one collection have the same name. */
export function checkNames(id: string, parts: readonly { readonly name: string }[]): void {
  const names = parts.map(({ name }) => keyOf(name));
  const twice = parts.find(({ name }, index) => names.indexOf(keyOf(name)) !== index);
  if (twice !== undefined) {
    throw new ApiError(400, "InvalidRequestFormat", "Cannot parse the request.", {
      details: [{ code: "DuplicateResourceName", message: `Resource ${id} has two child resources with the same name (${twice.name}).` }],
    });
  }
}

/** A child was written on its own: its parent's etag changes too. */
export function touchParent({ state, uuid }: Moment, id: string): void {
  parentResource(state, id).etag = `W/"${uuid()}"`;
}

/** The properties of a child; those written through the parent have the parent's state. */
export function childProperties(state: AzureState, { id, properties }: StoredResource): Record<string, unknown> {
  return { provisioningState: parentResource(state, id).properties["provisioningState"], ...properties };
}

/** The restriction of a node resource group: a deny assignment of AKS, which overrides every role in the group but the right to read. */
import type { AzureState } from "../../../state/state.js";
import { resourcesWithin } from "../../indexes.js";
import { removeTree } from "../../removal.js";
import { keyOf } from "../../resource-id.js";
import { denialType } from "../../authorization-check.js";

export interface Restriction {
  readonly state: AzureState;
  readonly uuid: () => string;
  readonly group: string;
  readonly level: unknown;
  /** Object ID of the cluster's identity, which manages the group. */
  readonly manager: string | undefined;
}

const everyone = "00000000-0000-0000-0000-000000000000";

/** Azure's own level is Unrestricted: only a cluster that asks for it has a deny assignment. */
export function ensureRestriction({ state, uuid, group, level, manager }: Restriction): void {
  const existing = resourcesWithin(state, group, denialType)[0];
  if (level !== "ReadOnly") {
    if (existing !== undefined) removeTree(state, existing.id);
    return;
  }
  if (existing !== undefined) return;
  const name = uuid();
  const id = `${group}/providers/${denialType}/${name}`;
  state.resources[keyOf(id)] = {
    id,
    name,
    type: denialType,
    properties: {
      denyAssignmentName: `System deny assignment created by Azure Kubernetes Service ${group}`,
      description: "Node resource group restriction of Azure Kubernetes Service.",
      permissions: [{ actions: ["*"], notActions: ["*/read"], dataActions: [], notDataActions: [] }],
      principals: [{ id: everyone, type: "SystemDefined" }],
      excludePrincipals: manager === undefined ? [] : [{ id: manager, type: "ServicePrincipal" }],
      doNotApplyToChildScopes: false,
      isSystemProtected: true,
    },
  };
}

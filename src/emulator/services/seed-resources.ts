/** Adds the resources of a seed document to the state. */
import { advance } from "../arm/operations.js";
import { keyOf, resourceGroupsType, typeOf } from "../arm/resource-id.js";
import { armService } from "./resource-manager/service.js";
import { emulatedTypes } from "../arm/types/index.js";
import { connectedClusterType } from "../arm/types/kubernetes/connected-clusters.js";
import { EmulatorInputError } from "../common/emulator-error.js";
import { ApiError, type Call } from "../core/service.js";
import { startAgents } from "./arc-agents/service.js";
import { changeInSteps } from "../state/in-steps.js";
import { forgetFrom } from "../state/operation-log.js";
import { sampleUuid } from "../state/sampling.js";
import { roleIds } from "../state/well-known.js";
import type { SeedDocument } from "../state/seed-document.js";
import type { RoleAssignment, AzureState } from "../state/state.js";

type Bodies = SeedDocument["resources"];
type Moment = Pick<Call, "now" | "random">;

/**
 * Groups first, then in the document's order. ARM creates the types that it can, with the defaults, children and references of a client's
 * write. The body of any other type is stored unchanged.
 * @throws EmulatorInputError with ARM's own words if it refuses a body.
 */
export async function seedResources(state: AzureState, bodies: Bodies, moment: Moment): Promise<void> {
  const entries = Object.entries(bodies);
  if (entries.length === 0) return;
  const isGroup = ([id]: (typeof entries)[number]): boolean => typeOfId(id) === resourceGroupsType;
  const writes = state.operationCount;
  const owner = ownerForTheMoment(state, sampleUuid(state));
  const sorted = [...entries.filter(isGroup), ...entries.filter((entry) => !isGroup(entry))];
  await changeInSteps(
    state,
    sorted.map(([id, body]) => (copy) => {
      const declared = emulatedTypes.named(typeOfId(id));
      const version = declared?.verbs.includes("write") ? declared.apiVersions[0] : undefined;
      if (version === undefined) return keepAsItIs(copy, id, body, moment.now);
      return put(copy, id, body, { version, owner: owner.principalId, ...moment });
    }),
  );
  for (const assignment of owner.assignments) delete state.roleAssignments[assignment.id.toLowerCase()];
  forgetFrom(state, writes);
}

/** @throws EmulatorInputError if a cluster does not exist. */
export function seedAgents(state: AzureState, agents: SeedDocument["arcAgents"], now: number): void {
  for (const [id, facts] of Object.entries(agents)) {
    const cluster = state.resources[keyOf(id)];
    if (cluster === undefined || keyOf(cluster.type) !== keyOf(connectedClusterType))
      throw new EmulatorInputError(`the seed document has agents of ${id}, but there is no such connected cluster`);
    startAgents({ state, now, sample: () => 0, milliseconds: () => 0 }, cluster, facts);
  }
}

async function put(state: AzureState, id: string, body: unknown, by: { version: string; owner: string } & Moment): Promise<void> {
  const call: Call = {
    request: {
      method: "PUT",
      host: "management.azure.com",
      path: id.split("/").filter((segment) => segment !== ""),
      target: `${id}?api-version=${by.version}`,
      query: new URLSearchParams({ "api-version": by.version }),
      headers: {},
      body,
    },
    state,
    now: by.now,
    caller: { objectId: by.owner, appId: by.owner, audience: "https://management.azure.com" },
    sample: () => 0,
    milliseconds: () => 0,
    uuid: () => sampleUuid(state),
    random: by.random,
  };
  try {
    await armService.handle(call);
    // A seeded resource is at rest: its write has ended.
    advance({ ...call, types: emulatedTypes });
  } catch (error) {
    if (error instanceof ApiError)
      throw new EmulatorInputError(`the seed document contains ${id}, which is rejected: ${error.code}: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

function keepAsItIs(state: AzureState, id: string, { properties, location, tags, sku, ...rest }: Bodies[string], now: number): void {
  const group = id.toLowerCase().split("/").slice(0, 5).join("/");
  if (/\/resourcegroups\//i.test(id) && !(group in state.resources)) {
    throw new EmulatorInputError(
      `the seed document contains ${id}, but its resource group exists neither in the state nor in the document`,
    );
  }
  const beside = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  state.resources[id.toLowerCase()] = {
    id,
    name: id.split("/").at(-1) ?? "",
    type: typeOfId(id),
    ...(location !== undefined && { location }),
    ...(tags !== undefined && { tags }),
    ...(sku !== undefined && { sku }),
    ...(Object.keys(beside).length > 0 && { beside }),
    createdAt: now,
    properties: { provisioningState: "Succeeded", ...properties },
  };
}

/** A principal that may do everything in every subscription. */
function ownerForTheMoment(state: AzureState, principalId: string): { principalId: string; assignments: RoleAssignment[] } {
  const assignments = state.subscriptions.map(({ subscriptionId }): RoleAssignment => {
    const scope = `/subscriptions/${subscriptionId}`;
    const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${principalId}`;
    const roleDefinitionId = `${scope}/providers/Microsoft.Authorization/roleDefinitions/${roleIds.owner}`;
    return { id, name: principalId, scope, roleDefinitionId, principalId, principalType: "ServicePrincipal", createdOn: "" };
  });
  for (const assignment of assignments) state.roleAssignments[assignment.id.toLowerCase()] = assignment;
  return { principalId, assignments };
}

function typeOfId(id: string): string {
  return /\/providers\//i.test(id) ? typeOf(id) : resourceGroupsType;
}

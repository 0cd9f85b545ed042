/** Changes to the emulator's state that no request can make: to applications, role assignments and federated credentials. */
import type { AzureState } from "../../../src/emulator/state/state.js";
import type { Application } from "../../../src/emulator/state/application.js";
import { groupId, groups, subscription } from "../../cli/demo-cluster.js";

/** Later than any test. */
export const far = Date.parse("2100-01-01T00:00:00Z");

export function applicationOf(state: AzureState, component: string): Application {
  const found = Object.values(state.applications).find(({ displayName }) => displayName === `demo-${component}`);
  if (found === undefined) throw new Error(`application demo-${component} does not exist`);
  return found;
}

export function assignmentsOf(state: AzureState, component: string) {
  const { servicePrincipalId } = applicationOf(state, component);
  return Object.entries(state.roleAssignments).filter(([, { principalId }]) => principalId === servicePrincipalId);
}

export function assign(state: AzureState, scope: string, role: string, principalId: string, name: string): void {
  const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
  const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
  const createdOn = new Date(0).toISOString();
  state.roleAssignments[id.toLowerCase()] = {
    id,
    name,
    scope,
    roleDefinitionId,
    principalId,
    principalType: "ServicePrincipal",
    createdOn,
  };
}

/** Swaps the principals of two components' role assignments on the managed group. */
export function crossed(state: AzureState, ...components: readonly [string, string]): void {
  const [one, other] = components.map((component) =>
    assignmentsOf(state, component).find(([, { scope }]) => scope === groupId(groups.managed)),
  );
  if (one === undefined || other === undefined) throw new Error(`${components.join(" or ")} has no role`);
  const [[, first], [, second]] = [one, other];
  [first.principalId, second.principalId] = [second.principalId, first.principalId];
}

export function federatedCredential(state: AzureState, identity: string) {
  const [, found] = Object.entries(state.resources).find(([id]) => id.includes(`/${identity}-mi-demo/federatedidentitycredentials/`)) ?? [];
  if (found === undefined) throw new Error(`${identity} has no federated credential`);
  return found;
}

/** The latest compliance states, which only connected clusters report. */
import type { Answer } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { requireRight } from "../../authorization-check.js";
import { findScope } from "../../scopes.js";
import type { Endpoint, Parameters } from "../../endpoint.js";
import { policiesOf, type Policy } from "../../policies.js";
import { resourcesWithin } from "../../indexes.js";
import { isWithin, keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { agentsOf, areRunning } from "../kubernetes/agents.js";
import { connectedClusterType } from "../kubernetes/connected-clusters.js";
import { extensionsOf } from "./extensions.js";

const versions = ["2024-10-01", "2019-10-01"];
const latest = "{scope}/providers/Microsoft.PolicyInsights/policyStates/latest";
const policyExtension = "microsoft.policyinsights";

/** An assignment without a state was not evaluated yet, and has no summary. */
export const policyStateEndpoints: readonly Endpoint[] = [
  { method: "POST", path: `${latest}/summarize`, versions, handle: (call, { scope = "" }) => summarize(call, scope) },
  { method: "POST", path: `${latest}/queryResults`, versions, handle: query },
];

interface State {
  readonly cluster: StoredResource;
  readonly assignment: Policy;
  readonly violations: number;
}

/** @throws ApiError without the right, or for a scope that does not exist */
function statesAt(call: ArmCall, scope: string, verb: "summarize" | "queryResults"): State[] {
  findScope(call, scope);
  requireRight(call, `Microsoft.PolicyInsights/policyStates/${verb}/action`, scope);
  const { state } = call;
  return resourcesWithin(state, scope, connectedClusterType)
    .filter((one) => isEvaluated(state, one))
    .flatMap((cluster) => statesOf(state, cluster));
}

/** An installed extension of agents that run. */
function isEvaluated(state: AzureState, cluster: StoredResource): boolean {
  return (
    areRunning(cluster) &&
    extensionsOf(state, cluster.id).some(
      ({ properties }) => keyOf(String(properties["extensionType"])) === policyExtension && properties["provisioningState"] === "Succeeded",
    )
  );
}

/** Only for assignments that apply to the cluster and that the extension has reported. */
function statesOf(state: AzureState, cluster: StoredResource): State[] {
  const found = agentsOf(cluster)?.violations ?? {};
  return policiesOf(state, "policyAssignments", cluster.id)
    .filter(({ id }) => isWithin(cluster.id, id.slice(0, keyOf(id).lastIndexOf("/providers/"))))
    .flatMap((assignment) => {
      const violations = found[keyOf(assignment.name)];
      return violations === undefined ? [] : [{ cluster, assignment, violations }];
    });
}

function summarize(call: ArmCall, scope: string): Answer {
  const states = statesAt(call, scope, "summarize");
  const assignments = [...new Map(states.map(({ assignment }) => [keyOf(assignment.id), assignment])).values()];
  const resultsOf = (held: readonly State[]) => {
    const failing = held.filter(({ violations }) => violations > 0);
    return {
      queryResultsUri: `https://management.azure.com${scope}/providers/Microsoft.PolicyInsights/policyStates/latest/queryResults?api-version=${versions[1] ?? ""}`,
      nonCompliantResources: new Set(failing.map(({ cluster }) => keyOf(cluster.id))).size,
      nonCompliantPolicies: new Set(failing.map(({ assignment }) => keyOf(assignment.id))).size,
    };
  };
  const summary = {
    "@odata.id": null,
    "@odata.context": `https://management.azure.com${scope}/providers/Microsoft.PolicyInsights/policyStates/$metadata#summary/$entity`,
    results: resultsOf(states),
    policyAssignments: assignments.map((assignment) => ({
      policyAssignmentId: keyOf(assignment.id),
      policySetDefinitionId: "",
      results: resultsOf(states.filter((one) => one.assignment === assignment)),
      policyDefinitions: [],
    })),
  };
  return { status: 200, body: { "@odata.context": null, "@odata.count": 1, value: [summary] }, takes: call.sample("read") };
}

function query(call: ArmCall, { scope = "" }: Parameters): Answer {
  const timestamp = new Date(call.now).toISOString();
  const value = statesAt(call, scope, "queryResults").map(({ cluster, assignment, violations }) => ({
    timestamp,
    resourceId: keyOf(cluster.id),
    resourceType: connectedClusterType,
    resourceLocation: cluster.location,
    policyAssignmentId: keyOf(assignment.id),
    policyAssignmentName: assignment.name,
    policyDefinitionId: String(assignment.properties["policyDefinitionId"]),
    isCompliant: violations === 0,
    complianceState: violations === 0 ? "Compliant" : "NonCompliant",
  }));
  return { status: 200, body: { "@odata.count": value.length, value }, takes: call.sample("read") };
}

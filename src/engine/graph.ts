/** A checked dependency graph: its order, its direct dependents and its chains. */
import { Failure } from "../errors/failure.js";

export interface GraphNode {
  readonly id: string;
  /** IDs of the nodes that come before. */
  readonly needs: readonly string[];
  /** How long it usually takes; 1 if absent. */
  readonly seconds?: number | undefined;
}

export interface Graph<N extends GraphNode> {
  /** Every node after all it needs. The same input always has the same order. */
  readonly order: readonly N[];
  readonly byId: ReadonlyMap<string, N>;
  /** For every ID, the IDs that need it directly, in the order given. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
}

/** @throws a Failure (ARO-BUG-001) that names every repeated ID and unknown need, or otherwise one cycle in order. */
export function buildGraph<N extends GraphNode>(nodes: readonly N[]): Graph<N> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const problems = [...repeatedIds(nodes), ...unknownNeeds(nodes, byId)];
  if (problems.length > 0) throw new Failure("ARO-BUG-001", `the graph is invalid: ${problems.join("; ")}`);
  const dependents = directDependents(nodes);
  return { order: topologicalOrder(nodes, byId, dependents), byId, dependents };
}

/** For every ID, the seconds of the longest chain that starts with it, itself included. */
export function longestChains<N extends GraphNode>(graph: Graph<N>): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const { id, seconds = 1 } of graph.order.toReversed()) {
    const after = (graph.dependents.get(id) ?? []).map((dependent) => lengths.get(dependent) ?? 0);
    lengths.set(id, seconds + Math.max(0, ...after));
  }
  return lengths;
}

function repeatedIds(nodes: readonly GraphNode[]): string[] {
  const ids = nodes.map((node) => node.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map((id) => `"${id}" is used more than once`);
}

function unknownNeeds(nodes: readonly GraphNode[], byId: ReadonlyMap<string, GraphNode>): string[] {
  return nodes.flatMap((node) =>
    node.needs.filter((need) => !byId.has(need)).map((need) => `"${node.id}" needs "${need}", which does not exist`),
  );
}

function directDependents(nodes: readonly GraphNode[]): Map<string, string[]> {
  const dependents = new Map(nodes.map((node): [string, string[]] => [node.id, []]));
  // A step may use one need under two names, so needs are read as a set.
  for (const node of nodes) for (const need of new Set(node.needs)) dependents.get(need)?.push(node.id);
  return dependents;
}

function topologicalOrder<N extends GraphNode>(
  nodes: readonly N[],
  byId: ReadonlyMap<string, N>,
  dependents: ReadonlyMap<string, readonly string[]>,
): N[] {
  const open = new Map(nodes.map((node) => [node.id, new Set(node.needs).size]));
  const order = nodes.filter((node) => node.needs.length === 0);
  // `order` grows while it is read: each node frees those that waited only for it.
  for (const { id } of order) {
    for (const dependent of dependents.get(id) ?? []) {
      const left = (open.get(dependent) ?? 0) - 1;
      open.set(dependent, left);
      const node = byId.get(dependent);
      if (left === 0 && node !== undefined) order.push(node);
    }
  }
  if (order.length < nodes.length)
    throw new Failure("ARO-BUG-001", `the graph has a cycle, each needing the next: ${cycle(nodes, order).join(" -> ")}`);
  return order;
}

/** Each unordered node needs another unordered one: following those must reach a cycle. */
function cycle<N extends GraphNode>(nodes: readonly N[], ordered: readonly N[]): string[] {
  const stuck = new Map(nodes.filter((node) => !ordered.includes(node)).map((node) => [node.id, node]));
  const path: string[] = [];
  let at = stuck.values().next().value;
  while (at !== undefined && !path.includes(at.id)) {
    path.push(at.id);
    const need = at.needs.find((id) => stuck.has(id));
    at = need === undefined ? undefined : stuck.get(need);
  }
  return at === undefined ? path : [...path.slice(path.indexOf(at.id)), at.id];
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { buildGraph, longestChains, type GraphNode } from "../../src/engine/graph.js";
import { ancestors, randomGraph } from "./random-graph.js";

const node = (id: string, ...needs: string[]): GraphNode => ({ id, needs });
const diamond = [node("top", "left", "right"), node("left", "root"), node("right", "root"), node("root")];
const idsOf = (nodes: readonly GraphNode[]): string[] => nodes.map(({ id }) => id);

test("a diamond is ordered from its root for any order of the input", () => {
  expect(idsOf(buildGraph(diamond).order)).toEqual(["root", "left", "right", "top"]);
  expect(idsOf(buildGraph(diamond.toReversed()).order)).toEqual(["root", "right", "left", "top"]);
});

test("a cycle is reported in order, without the nodes before and after it", () => {
  const nodes = [node("on-it", "a"), node("a", "b"), node("b", "root", "c"), node("c", "a"), node("root")];
  expect(() => buildGraph(nodes)).toThrow("the graph has a cycle, each needing the next: a -> b -> c -> a");
});

test("a node that needs itself is a cycle of one", () => {
  expect(() => buildGraph([node("a", "a")])).toThrow("a -> a");
});

test("all repeated IDs and unknown needs are reported together", () => {
  const nodes = [node("a", "ghost"), node("b"), node("b"), node("c", "shade")];
  expect(() => buildGraph(nodes)).toThrow(
    '"b" is used more than once; "a" needs "ghost", which does not exist; "c" needs "shade", which does not exist',
  );
});

test("a repeated need counts once", () => {
  const graph = buildGraph([node("a"), node("b", "a", "a")]);
  expect(idsOf(graph.order)).toEqual(["a", "b"]);
  expect(graph.dependents.get("a")).toEqual(["b"]);
});

test("an empty graph is valid", () => {
  expect(buildGraph([]).order).toEqual([]);
});

test("the chain of a node is the longest path to an end", () => {
  const graph = buildGraph([...diamond, node("short", "root")]);
  expect(Object.fromEntries(longestChains(graph))).toEqual({ root: 3, left: 2, right: 2, top: 1, short: 1 });
});

test("a chain counts the seconds of its nodes", () => {
  const graph = buildGraph([node("group"), { ...node("zone", "group"), seconds: 20 }, node("vnet", "group"), node("roles", "vnet")]);
  expect(Object.fromEntries(longestChains(graph))).toEqual({ group: 21, zone: 20, vnet: 2, roles: 1 });
});

test("property: every node comes after its needs", () => {
  fc.assert(
    fc.property(randomGraph(), (nodes) => {
      const graph = buildGraph(nodes);
      const place = new Map(graph.order.map(({ id }, index) => [id, index]));
      expect([...place.keys()].toSorted()).toEqual(idsOf(nodes).toSorted());
      for (const { id, needs } of nodes) {
        for (const need of needs) expect(place.get(need)).toBeLessThan(place.get(id) ?? -1);
      }
    }),
  );
});

test("property: an edge from the end of a chain to its start is reported as a cycle of real edges", () => {
  fc.assert(
    fc.property(randomGraph(), (nodes) => {
      const graph = buildGraph(nodes);
      const last = graph.order.find(({ id }) => ancestors(nodes, id).size > 0);
      fc.pre(last !== undefined);
      const first = [...ancestors(nodes, last.id)][0];
      const cyclic = nodes.map((other) => (other.id === first ? { ...other, needs: [...other.needs, last.id] } : other));
      let message = "";
      try {
        buildGraph(cyclic);
      } catch (error) {
        message = (error as Error).message;
      }
      const path = message.replace(/^.*: /, "").split(" -> ");
      expect(path.length).toBeGreaterThan(1);
      expect(path.at(0)).toBe(path.at(-1));
      path.slice(1).forEach((id, index) => expect(cyclic.find((other) => other.id === path[index])?.needs).toContain(id));
    }),
  );
});

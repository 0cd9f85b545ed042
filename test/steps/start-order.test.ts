/** The order in which ready steps of `create all` start if there are more than may run at once. */
import { expect, test } from "vitest";
import { buildGraph, longestChains } from "../../src/engine/graph.js";
import { everyGraph } from "./every-graph.js";

const graphs = everyGraph().filter(({ name }) => name.startsWith("all"));

/** Steps that take less time than private DNS, with everything after them. */
const shorter = /^(?:application|service-principal|identity|federation|role-|nsg|public-ip|certificate|credential)/;

test.each(graphs.map((graph) => [graph.name, graph] as const))("%s: the private zone and its group start first", (_, { steps }) => {
  const chains = longestChains(buildGraph(steps.map(({ id, needs, declared }) => ({ id, needs, seconds: declared.seconds }))));
  const zone = steps.find(({ id }) => id === "private-zone");
  for (const id of ["private-zone", ...(zone?.needs ?? [])]) {
    const earlier = [...chains].filter(([, seconds]) => seconds >= (chains.get(id) ?? 0)).map(([other]) => other);
    expect(earlier).toContain(id);
    expect(earlier.filter((other) => other !== id && shorter.test(other))).toEqual([]);
  }
});

/** Random graphs for property tests: without cycles, in any order, with a duration and a failure for each node. */
import fc from "fast-check";

export interface RandomNode {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
  readonly lastsMs: number;
  readonly fails: boolean;
}

export function randomGraph({ failing = true }: { failing?: boolean } = {}): fc.Arbitrary<RandomNode[]> {
  const node = fc.record({
    picks: fc.array(fc.nat(30), { maxLength: 4 }),
    lastsMs: fc.nat(5),
    fails: failing ? fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0) : fc.constant(false),
  });
  return fc
    .array(node, { minLength: 1, maxLength: 14 })
    .map((nodes) =>
      nodes.map(({ picks, lastsMs, fails }, index): RandomNode => {
        // A node needs only earlier nodes, so there is no cycle.
        const needs = index === 0 ? [] : [...new Set(picks.map((pick) => `n${pick % index}`))];
        return { id: `n${index}`, title: `node ${index}`, needs, lastsMs, fails };
      }),
    )
    .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length, maxLength: nodes.length }));
}

/** Everything that a node needs, directly or indirectly, computed independently of the engine. */
export function ancestors(nodes: readonly RandomNode[], id: string): Set<string> {
  const direct = nodes.find((node) => node.id === id)?.needs ?? [];
  return new Set(direct.flatMap((need) => [need, ...ancestors(nodes, need)]));
}

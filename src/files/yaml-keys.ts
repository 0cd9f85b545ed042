/** The keys of a YAML document: what the parser lets pass or takes too long to find out. */
import { isMap, isScalar, visit, type Document as YamlDocument } from "yaml";

export interface KeyFault {
  /** The parser's own code for it. */
  readonly code: "DUPLICATE_KEY" | "COMPLEX_KEY";
  readonly offset: number;
}

/**
 * The first key that stands twice in its map, which the parser compares each with each to find, or that is no scalar: it would become a key of
 * its own source text, and `{{ secret }}`, where somebody forgot to fill in a template, is one.
 */
export function keyFaultIn(yaml: YamlDocument): KeyFault | undefined {
  let fault: KeyFault | undefined;
  visit(yaml, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const offset = offsetOf(key) ?? map.range?.[0] ?? 0;
        if (key !== null && !isScalar(key)) fault = { code: "COMPLEX_KEY", offset };
        const name = isScalar(key) ? String(key.value) : "";
        if (seen.has(name)) fault ??= { code: "DUPLICATE_KEY", offset };
        if (fault !== undefined) return visit.BREAK;
        seen.add(name);
      }
      return undefined;
    },
  });
  return fault;
}

function offsetOf(key: unknown): number | undefined {
  return isScalar(key) || isMap(key) ? key.range?.[0] : undefined;
}

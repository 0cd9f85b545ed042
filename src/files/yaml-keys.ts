/** Finds duplicate keys in one pass. The parser's `uniqueKeys` compares all pairs of keys: 47 s for 60,000 keys. */
import { isScalar, visit, type Document as YamlDocument } from "yaml";

/** The offset of the first key that its map already contains. */
export function duplicateKeyIn(yaml: YamlDocument): number | undefined {
  let offset: number | undefined;
  visit(yaml, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          offset = key.range?.[0];
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return offset;
}

/** Kubernetes manifests as text, for `kubectl apply -f -`. */
import { Document, visit } from "yaml";
import { jsonText, terminalText, yamlText } from "../text/control.js";

export type ManifestFormat = "yaml" | "json";

/** YAML: a stream of documents. JSON: the manifest, or a List if there are several. Ends with a line end. */
export function manifestsText(manifests: readonly object[], format: ManifestFormat): string {
  if (format === "yaml") return manifests.map(documentText).join("---\n");
  const [only] = manifests;
  const whole = manifests.length === 1 ? only : { apiVersion: "v1", kind: "List", items: manifests };
  return `${jsonText(whole, 2)}\n`;
}

/** Strings that some YAML version reads as a number or a date. UUIDs are neither, and are easier to read unquoted. */
const ambiguous = /^(?:[-+.]?\d[^-]*|\d{4}-\d\d?-\d\d?)$/;

function documentText(manifest: object): string {
  // kubectl reads YAML 1.1, where `off` and `y` are booleans; other readers 1.2, where 0o14 is a number.
  const document = new Document(manifest, { schema: "yaml-1.1", aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      const { value } = node;
      if (typeof value === "string" && (ambiguous.test(value) || terminalText(value) !== value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return yamlText(document.toString({ lineWidth: 0 }));
}

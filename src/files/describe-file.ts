/** Describes a file that is in the way of an output, with only names and IDs of clusters. */
import { LineCounter } from "yaml";
import { z } from "zod";
import { clusterKinds } from "../domain/cluster-kind.js";
import { shapeNames, shapeOf } from "./identity-files.js";
import { parseYaml } from "./parse-yaml.js";

const ownKinds = [...clusterKinds, "arc-secrets", "dns-zone"] as const;
const manifestSchema = z.looseObject({ apiVersion: z.string(), kind: z.string() });
/** A larger file is no document of this program or of Kubernetes. */
const maxLength = 1024 * 1024;
const infraSchema = z.looseObject({ infraID: z.string() });
const agentValuesSchema = z.looseObject({ global: z.looseObject({ resourceName: z.string(), onboardingPrivateKey: z.string() }) });

/** Undefined if it is nothing known. */
export function describeFile({ text, json }: { readonly text: string; readonly json: unknown }): string | undefined {
  if (/^\s*-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return "a private key";
  const value = json ?? (text.length > maxLength ? undefined : yamlValue(text));
  return typeof value === "object" && value !== null ? described(value) : undefined;
}

function described(value: object): string | undefined {
  const kind = ownKinds.find((own) => "kind" in value && value.kind === own);
  if (kind !== undefined) return `an output file of create ${kind}${nameIn(value)}`;
  const infra = infraSchema.safeParse(value).data;
  if (infra !== undefined) return `an output file of create infra for ${JSON.stringify(infra.infraID)}`;
  const shape = shapeOf(value);
  if (shape !== undefined) return shapeNames[shape];
  if ("activeKeyID" in value) return "a file of create encryption-key";
  if ("kind" in value && value.kind === "Config" && "clusters" in value) return "a kubeconfig";
  const agents = agentValuesSchema.safeParse(value).data?.global;
  // Earlier versions of create arc wrote them without the line.
  if (agents !== undefined)
    return `the Helm values of connected cluster ${JSON.stringify(agents.resourceName)}, with its onboarding key and without the line that says for whom this command wrote them`;
  const manifest = manifestSchema.safeParse(value).data;
  return manifest && "a Kubernetes manifest without the line that says for whom this command wrote it";
}

function nameIn(value: object): string {
  return "name" in value && typeof value.name === "string" ? ` for ${JSON.stringify(value.name)}` : "";
}

/** The value of the first document; undefined for text that is not YAML. */
function yamlValue(text: string): unknown {
  const [first = ""] = text.split(/^---$/m).filter((part) => part.trim() !== "");
  const parsed = parseYaml(first, new LineCounter());
  try {
    return parsed === undefined || parsed.error !== undefined ? undefined : parsed.document.toJS();
  } catch {
    // Aliases that multiply beyond reason.
    return undefined;
  }
}

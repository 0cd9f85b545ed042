/** A file of manifests, owned by what its first line names, or in JSON by its objects. */
import type { OutputFile } from "../files/output-file.js";
import { markOf, markOwner, type Writer } from "../files/written-mark.js";
import { manifestsText, type ManifestFormat } from "./text.js";

export interface ManifestFile {
  readonly file: OutputFile;
  readonly text: string;
}

export function manifestFile(path: string, manifests: readonly object[], format: ManifestFormat, writer: Writer): ManifestFile {
  const text = manifestsText(manifests, format);
  const ofMark = markOwner(writer);
  return {
    text: format === "yaml" ? `${markOf(writer)}${text}` : text,
    file: {
      path,
      // Earlier versions wrote no mark: the same manifests lose nothing.
      otherOwner: (existing) => (existing.text === text || hasSameObjects(existing.json, manifests) ? undefined : ofMark(existing)),
    },
  };
}

/** Whether each object of one of them is also in the other: an option can add an object. */
function hasSameObjects(json: unknown, manifests: readonly object[]): boolean {
  const [found, wanted] = [objectsIn(json), new Set(manifests.map(objectName))];
  if (found === undefined || found.size === 0 || found.has(undefined)) return false;
  // Somebody else may have written its Namespace or a Secret.
  if (hasCluster(wanted) && !hasCluster(found)) return false;
  const isWithin = (part: ReadonlySet<unknown>, whole: ReadonlySet<unknown>) => [...part].every((one) => whole.has(one));
  return isWithin(found, wanted) || isWithin(wanted, found);
}

function hasCluster(names: ReadonlySet<string | undefined>): boolean {
  return [...names].some((name) => name?.split(" ")[1] === "HostedCluster");
}

/** The objects of a manifest, or of each one in a List. */
function objectsIn(json: unknown): ReadonlySet<string | undefined> | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  return new Set("items" in json && Array.isArray(json.items) ? json.items.map(objectName) : [objectName(json)]);
}

/** An object with what it names in Azure, because clusters may have objects of the same names. Undefined for anything else, and for an object that was read from a cluster: only a server sets these fields. */
function objectName(value: unknown): string | undefined {
  const { apiVersion, kind, status, metadata, spec } = membersOf(value);
  const { namespace = "", name, uid, resourceVersion, annotations } = membersOf(metadata);
  if ([status, uid, resourceVersion].some((field) => field !== undefined)) return undefined;
  const { infraID = "", parameters } = membersOf(spec);
  const { keyvaultName = "" } = membersOf(parameters);
  const names = [apiVersion, kind, namespace, name, infraID, keyvaultName, membersOf(annotations)[addressAnnotation] ?? ""];
  return names.every((text) => typeof text === "string") ? names.join(" ") : undefined;
}

/** Names the public IP address of a Service. */
const addressAnnotation = "service.beta.kubernetes.io/azure-pip-name";

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}

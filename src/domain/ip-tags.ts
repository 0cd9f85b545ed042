/** IP tags of public addresses, written as `FirstPartyUsage:/NonProd,RoutingPreference:Internet`. */
import { sameText } from "../text/same-text.js";

export interface IpTag {
  readonly type: string;
  readonly tag: string;
}

/** The types that the cloud provider of Kubernetes accepts in an annotation of a Service. */
const annotatedTypes = ["FirstPartyUsage", "RoutingPreference"];

const form = "type:tag, such as FirstPartyUsage:/NonProd";

/**
 * The tags, or the problem as a sentence. Azure/ARO-HCP's templates read the same text with two splits: they cut a tag at a second colon, and keep
 * spaces. Here, each such text is refused.
 */
export function readIpTags(text: string): readonly IpTag[] | string {
  if (text === "") return [];
  const tags: IpTag[] = [];
  for (const item of text.split(",")) {
    const read = readIpTag(item, text);
    if (typeof read === "string") return read;
    if (tags.some((one) => sameTag(one, read))) return `"${item}" is set twice`;
    tags.push(read);
  }
  return tags;
}

function readIpTag(item: string, text: string): IpTag | string {
  if (item === "") return `"${text}" has an empty item; remove the extra comma`;
  if (/\s/.test(item)) return `"${item}" contains a space${suggestion(item.replace(/\s/g, ""))}`;
  const [type = "", tag, ...more] = item.split(":");
  if (tag === undefined) {
    const colon = item.includes("=") ? suggestion(item.replace("=", ":")) : "";
    return item.includes("=")
      ? `"${item}" has an equals sign between type and tag; expected a colon${colon}`
      : `"${item}" has no colon; expected ${form}`;
  }
  if (more.length > 0) return `"${item}" has a second colon; expected ${form}, with a comma before the next tag`;
  if (item.includes("=")) return `"${item}" contains an equals sign; expected ${form}`;
  if (type === "") return `"${item}" has no type before the colon; expected ${form}`;
  if (tag === "") return `"${item}" has no tag after the colon; expected ${form}`;
  if (!/^[\w.-]+$/.test(type)) return `"${item}" has a type with other characters than letters, digits, underscores, hyphens and periods`;
  if (!/^[\w/-]+$/.test(tag)) return `"${item}" has a tag with other characters than letters, digits, underscores, hyphens and slashes`;
  const known = annotatedTypes.find((one) => sameText(one, type));
  return known === undefined || known === type ? { type, tag } : `"${item}" has the type "${type}"; did you mean "${known}:${tag}"?`;
}

/** Suggests the corrected text, if it is valid. */
function suggestion(text: string): string {
  return Array.isArray(readIpTags(text)) && text !== "" ? `; did you mean "${text}"?` : `; expected ${form}`;
}

export function formatIpTags(tags: readonly IpTag[]): string {
  return tags.map(({ type, tag }) => `${type}:${tag}`).join(",");
}

/** The same tags in any order. */
export function sameIpTags(left: readonly IpTag[], right: readonly IpTag[]): boolean {
  return left.length === right.length && left.every((one) => right.some((other) => sameTag(one, other)));
}

/** The value of `service.beta.kubernetes.io/azure-pip-ip-tags`, which has equals signs; the problem, if Kubernetes would drop a tag. */
export function ipTagAnnotation(tags: readonly IpTag[]): { readonly value: string } | { readonly problem: string } {
  const dropped = tags.find(({ type }) => !annotatedTypes.includes(type));
  if (dropped !== undefined) {
    return {
      problem: `"${formatIpTags([dropped])}" cannot be in a Service: Kubernetes passes only ${annotatedTypes.join(" and ")} to Azure`,
    };
  }
  return { value: tags.map(({ type, tag }) => `${type}=${tag}`).join(",") };
}

function sameTag(left: IpTag, right: IpTag): boolean {
  return sameText(left.type, right.type) && left.tag === right.tag;
}

/** XML of the blob service: written from elements, read by a small strict parser. */
import { namedIn } from "./named.js";

/** Bodies of the service begin with a byte order mark. */
export const xmlHead = '\uFEFF<?xml version="1.0" encoding="utf-8"?>';

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An element with a text; undefined leaves it empty. */
export function leaf(name: string, text?: string | number | boolean): string {
  return text === undefined || text === "" ? `<${name} />` : `<${name}>${escapeXml(String(text))}</${name}>`;
}

/** An element with elements; those that are undefined are left out. */
export function element(
  name: string,
  children: readonly (string | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const tag = `${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value).replaceAll('"', "&quot;")}"`)
    .join("")}`;
  const inner = children.filter((child) => child !== undefined).join("");
  return inner === "" ? `<${tag} />` : `<${tag}>${inner}</${name}>`;
}

export interface XmlElement {
  readonly name: string;
  /** The text of an element without elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

export function childOf(parent: XmlElement, name: string): XmlElement | undefined {
  return parent.children.find((child) => child.name === name);
}

interface OpenElement {
  name: string;
  text: string;
  children: XmlElement[];
}

const token = /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The outermost element, without attributes. Undefined for what is not well-formed, or has a document type. */
export function parseXml(source: string): XmlElement | undefined {
  const root: OpenElement = { name: "", text: "", children: [] };
  const open: OpenElement[] = [root];
  const text = source.replace(/^\uFEFF/, "").trim();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [whole, closing, name, , empty, characters] = token.exec(text) ?? [];
    const current = open.at(-1);
    if (whole === undefined || current === undefined) return undefined;
    if (characters !== undefined) current.text += characters;
    if (name === undefined) continue;
    if (closing !== "/") {
      const begun: OpenElement = { name, text: "", children: [] };
      current.children.push(begun);
      if (empty !== "/") open.push(begun);
    } else if (open.length < 2 || open.pop()?.name !== name || !finish(current)) return undefined;
  }
  const [first] = root.children;
  return open.length === 1 && root.children.length === 1 && root.text.trim() === "" ? first : undefined;
}

/** False where its text has an unknown entity or stands between elements. */
function finish(current: OpenElement): boolean {
  if (current.children.length > 0 && current.text.trim() !== "") return false;
  let known = true;
  current.text = current.text.replace(/&(#x[0-9a-fA-F]+|#\d+|\w+);|&/g, (_, entity: string | undefined) => {
    const decoded = entity?.startsWith("#") ? decodePoint(entity.slice(1)) : namedIn(entities, entity ?? "");
    known &&= decoded !== undefined;
    return decoded ?? "";
  });
  return known;
}

function decodePoint(number: string): string | undefined {
  const point = number.startsWith("x") ? parseInt(number.slice(1), 16) : Number(number);
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

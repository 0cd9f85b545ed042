/** Reads simple XML, such as JUnit's: elements, attributes and text. Refuses what is not well-formed. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const token = /<\?xml [^?]*\?>|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<>]+)/y;

/** @throws Error with the position of what is not well-formed */
export function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  token.lastIndex = 0;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const [whole, closed, name, attributes = "", empty, text] = token.exec(xml) ?? [];
    const parent = open.at(-1);
    if (whole === undefined || parent === undefined) throw new Error(`not well-formed at ${String(at)}: ${xml.slice(at, at + 60)}`);
    if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> closes another element, at ${String(at)}`);
    } else if (name !== undefined) {
      const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, unescaped(value)] as const);
      const element: XmlElement = { name, attributes: Object.fromEntries(pairs), children: [], text: "" };
      parent.children.push(element);
      if (empty === "") open.push(element);
    } else if (text !== undefined) parent.text += unescaped(text);
  }
  const [only, ...others] = root.children;
  if (only === undefined || others.length > 0 || open.length > 1) throw new Error("there is not one element that contains all others");
  return only;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function unescaped(text: string): string {
  return text.replace(/&(\w*);?/g, (whole, name: string) => {
    const character = entities[name];
    if (character === undefined || !whole.endsWith(";")) throw new Error(`${whole} is no entity`);
    return character;
  });
}

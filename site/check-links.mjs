/** Checks the built site: each link leads to a page and each anchor to an element, and each image exists. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const dist = path.resolve(import.meta.dirname, ".vitepress/dist");
const pages = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
const html = new Map(pages.map((page) => [page, readFileSync(path.join(dist, page), "utf8")]));
const ids = new Map([...html].map(([page, text]) => [page, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]));
const broken = [];
for (const [page, text] of html) {
  for (const [, href] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
    if (/^([a-z]+:|\/\/)/.test(href)) continue;
    const [name, anchor] = decodeURI(href.replaceAll("&amp;", "&")).split("#");
    const file = name === "" ? page : path.relative(dist, path.resolve(dist, path.dirname(page), name.replace(/^\//, `${dist}/`)));
    const found = [file, `${file}.html`, path.join(file, "index.html")].find(
      (each) => each !== "" && existsSync(path.join(dist, each)) && /\.\w+$/.test(each),
    );
    if (found === undefined) broken.push(`${page}: ${href}`);
    else if (anchor !== undefined && anchor !== "" && ids.has(found) && !ids.get(found).has(anchor))
      broken.push(`${page}: ${href}: no such heading`);
  }
}
console.log(`${html.size} pages, ${broken.length} broken links`);
if (html.size === 0 || broken.length > 0) {
  console.error(broken.join("\n"));
  process.exitCode = 1;
}

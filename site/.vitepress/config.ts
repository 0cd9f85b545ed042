/** The site: the pages of docs and of the root, with the index of docs as its sidebar. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, type DefaultTheme } from "vitepress";
import { anchor } from "../../tools/markdown.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const { description, repository } = JSON.parse(read("package.json")) as { description: string; repository: { url: string } };
const address = repository.url.replace(/^git\+|\.git$/g, "");

/** Pages of the root that the docs link to. */
const ofRoot = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

const docs = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
/** The source of each page of the site, by its path there. */
const sources = new Map([
  ...docs.map((name) => [name === "README.md" ? "index.md" : name, `docs/${name}`] as const),
  ...ofRoot.map((name) => [name.toLowerCase(), name] as const),
]);
const pageOf = new Map([...sources].map(([page, source]) => [source, page]));

// Pages beside the packages of the site: Vue is not found from other folders.
const pages = path.resolve(import.meta.dirname, "../.pages");
rmSync(pages, { recursive: true, force: true });
cpSync(path.join(root, "docs/pictures"), path.join(pages, "pictures"), { recursive: true });
for (const [page, source] of sources) {
  mkdirSync(path.dirname(path.join(pages, page)), { recursive: true });
  writeFileSync(path.join(pages, page), read(source).replace(/<!--[\s\S]*?-->\n?/g, ""));
}

/** Where a link of a page leads: on the site, or to the repository. */
function target(href: string, page: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [name = "", hash] = href.split("#");
  const file = path.posix.join(path.posix.dirname(page), name);
  const own = pageOf.get(file);
  const suffix = hash === undefined ? "" : `#${hash}`;
  if (own !== undefined) return `/${own}${suffix}`;
  if (!existsSync(path.join(root, file))) throw new Error(`${page}: ${href} leads nowhere`);
  return `${address}/blob/main/${file}${suffix}`;
}

const titleOf = (file: string): string => /^# (.*)$/m.exec(read(file))?.[1] ?? file;

/** The sections of the index and their links, in a table or a list. */
function sidebar(): DefaultTheme.SidebarItem[] {
  return read("docs/README.md")
    .split(/^## /m)
    .slice(1)
    .map((section, index) => {
      const links = [...section.matchAll(/^(?:- |\|.*\| )\[([^\]]*)\]\(([^)]*)\)/gm)];
      const items = links.map(([, text = "", href = ""]) => ({
        text: text.endsWith(".md") ? titleOf(path.posix.join("docs", href)) : text,
        link: target(href, "docs/README.md"),
      }));
      return { text: section.split("\n")[0] ?? "", collapsed: index > 1, items };
    });
}

export default defineConfig({
  title: "aro-hcp",
  description,
  lang: "en",
  srcDir: ".pages",
  markdown: {
    anchor: { slugify: anchor },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(md) {
      // `<name>` is a placeholder in the docs.
      md.set({ html: false });
      md.core.ruler.push("links", ({ tokens, env }) => {
        const page = sources.get((env as { relativePath: string }).relativePath) ?? "";
        for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open")) {
          link.attrSet("href", target(link.attrGet("href") ?? "", page));
        }
      });
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: "local" },
    sidebar: sidebar(),
    nav: [
      { text: "First run", link: "/first-run" },
      { text: "Commands", link: "/commands" },
      { text: "Errors", link: "/errors" },
      { text: "Changes", link: "/changelog" },
    ],
    socialLinks: [{ icon: "github", link: address }],
  },
});

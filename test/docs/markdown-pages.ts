/** The pages of the repository, and their parts. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

/** From the root of the repository. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join("docs", name)),
];

export function readPageText(page: string): string {
  return readFileSync(path.join(root, page), "utf8");
}

/** Without code blocks. */
export function prose(page: string): string {
  return page.replace(/^( *)```.*\n[\s\S]*?\n\1```$/gm, "");
}

/** The texts in backticks, outside of code blocks; a line break counts as a space. */
export function inlineCode(page: string): string[] {
  return [...prose(page).matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replace(/\s*\n\s*/g, " "));
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchors(page: string): string[] {
  const seen = new Map<string, number>();
  return [...prose(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, title = ""]) => {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/ /g, "-");
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${String(before)}`;
  });
}

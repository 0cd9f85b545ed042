/** Every link of the docs leads somewhere, and everything in docs and examples is reached by one. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { anchors, pages, prose, readPageText, root } from "./markdown-pages.js";

interface Link {
  /** From the root of the repository. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** The links of a page that lead into the repository. */
function linksOf(page: string): Link[] {
  const text = prose(readPageText(page)).replace(/`[^`]*`/g, "code");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file = "", anchor] = target.split("#");
    return [{ file: file === "" ? page : path.join(path.dirname(page), file), anchor }];
  });
}

test.each(pages)("each link of %s leads to a file, and to a heading", (page) => {
  const broken = linksOf(page).filter(
    ({ file, anchor }) =>
      !existsSync(path.join(root, file)) ||
      (anchor !== undefined && !(file.endsWith(".md") && anchors(readPageText(file)).includes(anchor))),
  );
  expect(broken).toEqual([]);
});

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

test("the index and that of errors reach every page, and the pages reach every image and example", () => {
  const index = new Set(["docs/README.md", "docs/errors.md"].flatMap(linksOf).map(({ file }) => file));
  expect(pages.filter((page) => !index.has(page) && !["README.md", "docs/README.md"].includes(page))).toEqual([]);
  const linked = new Set(pages.flatMap(linksOf).map(({ file }) => file));
  // Docker reads it by its name.
  const files = [...filesIn("docs/pictures"), ...filesIn("examples")].filter((file) => !file.endsWith(".dockerignore"));
  expect(files.filter((file) => !linked.has(file))).toEqual([]);
});

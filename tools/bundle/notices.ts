/** What the licences of the packages in the bundle ask for: each package with its name, version and licence text, in one file beside it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** Undefined where the package brings none. */
  readonly text: string | undefined;
}

/** Licences that allow what we do, shipping the code as part of ours, with no more asked than this file. */
const allowed: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "Python-2.0",
]);

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Of packages that name their licence and author in package.json, but bring no text. */
const textsOf: Readonly<Record<string, string>> = {
  "@nodable/entities": `Copyright (c) Amit Gupta (https://solothought.com)\n\n${mit}`,
};

/** The packages that these source files are of, each version once, by name. Files of ours are left out. */
export function packagesOf(files: readonly string[]): BundledPackage[] {
  const homes = new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const packages = new Map([...homes].map(readPackage).map((each) => [`${each.name}@${each.version}`, each]));
  return [...packages.values()].sort((a, b) => a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version, "en"));
}

function readPackage(home: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: unknown;
  };
  const { name, version, license } = manifest;
  const texts = readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map((entry) => readFileSync(path.join(home, entry.name), "utf8").trim());
  return {
    name,
    version,
    license: typeof license === "string" ? license : "",
    text: texts.length === 0 ? textsOf[name] : texts.join("\n\n"),
  };
}

/** @throws Error naming each package whose licence is not allowed, or is not there to be passed on. */
export function noticesText(packages: readonly BundledPackage[]): string {
  const wrong = packages.flatMap(({ name, version, license, text }) => [
    ...(isAllowed(license) ? [] : [`${name}@${version} has the licence "${license}", which is not on the list of tools/bundle/notices.ts`]),
    ...(text === undefined ? [`${name}@${version} has no licence text`] : []),
  ]);
  if (wrong.length > 0) throw new Error(`what may not be bundled:\n${wrong.join("\n")}`);
  const notices = packages.map(({ name, version, license, text = "" }) => `${name} ${version}\nLicense: ${license}\n\n${text}\n`);
  return [`aro-hcp includes the following ${String(packages.length)} packages.\n`, ...notices].join(`\n${"-".repeat(80)}\n\n`);
}

/** Of alternatives, "(MIT OR GPL-2.0)", one is enough. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return alternatives.some((each) => allowed.has(each));
}

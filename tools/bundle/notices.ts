/** Writes what the licenses of the bundled packages require: one file with the name, version and license text of each package. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { plural } from "../../src/text/plural.js";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** Undefined if the package includes none. */
  readonly text: string | undefined;
}

/** Licenses that allow us to ship the code as part of the bundle and require nothing but these notices. */
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

/** Texts of packages that name their license and author in package.json but include no license file. */
const textsOf: Readonly<Record<string, string>> = {
  "@nodable/entities": `Copyright (c) Amit Gupta (https://solothought.com)\n\n${mit}`,
};

/** The packages that contain these source files, each version once, sorted by name. Files of this project are ignored. */
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

/** @throws Error that names each package whose license is not allowed or has no text. */
export function noticesText(packages: readonly BundledPackage[]): string {
  const wrong = packages.flatMap(({ name, version, license, text }) => [
    ...(isAllowed(license) ? [] : [`the license "${license}" of ${name}@${version} is not in the list of tools/bundle/notices.ts`]),
    ...(text === undefined ? [`${name}@${version} has no license text`] : []),
  ]);
  if (wrong.length > 0) throw new Error(`some packages cannot be bundled:\n${wrong.join("\n")}`);
  const notices = packages.map(({ name, version, license, text = "" }) => `${name} ${version}\nLicense: ${license}\n\n${text}\n`);
  return [`aro-hcp includes ${plural(packages.length, "package")}.\n`, ...notices].join(`\n${"-".repeat(80)}\n\n`);
}

/** One allowed alternative is enough, as in "(MIT OR GPL-2.0)". */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return alternatives.some((each) => allowed.has(each));
}

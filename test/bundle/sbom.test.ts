/** The bill of materials that the build writes. */
import { readFileSync } from "node:fs";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import { expect, test } from "vitest";
import { imageSbom } from "../../tools/bundle/sbom.js";

interface Document {
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[];
}

const text = readFileSync("sbom.cdx.json", "utf8");
const { components } = JSON.parse(text) as Document;

test("it lists the packages whose notices are in the package, and fits the schema of CycloneDX", async () => {
  const notices = readFileSync("THIRD-PARTY-NOTICES", "utf8");
  const noticed = [...notices.matchAll(/^-{80}\n\n(\S+) (\S+)\nLicense: /gm)].map(([, name, version]) => `${name ?? ""}@${version ?? ""}`);
  expect(components.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(noticed.toSorted());
  expect(await new JsonStrictValidator(Version.v1dot6).validate(text)).toBeNull();
});

test("that of an image has Debian's packages with their architecture, and the package with what is bundled", async () => {
  const bundled = { name: "@scope/name", version: "1.0.0", license: "MIT", text: "" };
  const sbom = imageSbom([bundled], "arm64", [{ type: "deb", name: "debian/libc6", version: "2:1+a~b", qualifiers: "?arch=arm64" }]);
  const purls = (JSON.parse(sbom) as Document).components.map(({ purl }) => purl);
  expect(purls).toContain("pkg:npm/%40scope/name@1.0.0");
  expect(purls).toContain("pkg:deb/debian/libc6@2%3A1%2Ba~b?arch=arm64");
  expect(purls).toHaveLength(3);
  expect(await new JsonStrictValidator(Version.v1dot6).validate(sbom)).toBeNull();
});

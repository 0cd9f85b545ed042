/** The software bill of materials, in CycloneDX: what a package or an image of ours contains. */
import { ComponentType, ExternalReferenceType } from "@cyclonedx/cyclonedx-library/Enums";
import {
  Bom,
  Component,
  ExternalReference,
  ExternalReferenceRepository,
  LicenseExpression,
  LicenseRepository,
  Metadata,
} from "@cyclonedx/cyclonedx-library/Models";
import { JSON as Json, JsonSerializer } from "@cyclonedx/cyclonedx-library/Serialize";
import { Spec1dot6 } from "@cyclonedx/cyclonedx-library/Spec";
import manifest from "../../package.json" with { type: "json" };
import type { BundledPackage } from "./notices.js";

/** In the root of the package. */
export const sbomFile = "sbom.cdx.json";

/** `type` is npm or deb, `name` may begin with a namespace. */
export interface Part {
  readonly type: "npm" | "deb";
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license?: string | undefined;
  /** For example `?arch=amd64`. */
  readonly qualifiers?: string;
}

function component(kind: ComponentType, { type, name, version, license, qualifiers = "" }: Part): Component {
  const purl = `pkg:${type}/${name.replace("@", "%40")}@${encodeURIComponent(version)}${qualifiers}`;
  return new Component(kind, name, {
    version,
    purl,
    bomRef: purl,
    ...(license !== undefined && { licenses: new LicenseRepository([new LicenseExpression(license)]) }),
  });
}

/** This package, and what is bundled in it. */
function ownPackage(packages: readonly BundledPackage[]): readonly [Component, ...Component[]] {
  const { name, version, license, description, repository, bugs, homepage } = manifest;
  const own = component(ComponentType.Application, { type: "npm", name, version, license });
  own.description = description;
  own.externalReferences = new ExternalReferenceRepository([
    new ExternalReference(repository.url, ExternalReferenceType.VCS),
    new ExternalReference(bugs, ExternalReferenceType.IssueTracker),
    new ExternalReference(homepage, ExternalReferenceType.Website),
  ]);
  const bundled = packages.map((each) => component(ComponentType.Library, { type: "npm", ...each }));
  for (const each of bundled) own.dependencies.add(each.bomRef);
  return [own, ...bundled];
}

export function packageSbom(packages: readonly BundledPackage[]): string {
  const [own, ...bundled] = ownPackage(packages);
  return serialize(own, bundled);
}

/** `parts` are in the image beside the package. */
export function imageSbom(packages: readonly BundledPackage[], architecture: string, parts: readonly Part[]): string {
  const { name, version } = manifest;
  const image = new Component(ComponentType.Container, name, { version, bomRef: `image-${architecture}` });
  const [own, ...bundled] = ownPackage(packages);
  const others = parts.map((each) => component(each.type === "deb" ? ComponentType.Library : ComponentType.Platform, each));
  for (const each of [own, ...others]) image.dependencies.add(each.bomRef);
  return serialize(image, [own, ...bundled, ...others]);
}

/** The same for the same content: without a time, unless SOURCE_DATE_EPOCH has that of the commit, and without a random serial number. */
function serialize(root: Component, components: readonly Component[]): string {
  const epoch = process.env["SOURCE_DATE_EPOCH"];
  const timestamp = epoch === undefined ? undefined : new Date(Number(epoch) * 1000);
  const bom = new Bom({ metadata: new Metadata({ component: root, ...(timestamp && { timestamp }) }) });
  for (const each of components) bom.components.add(each);
  return new JsonSerializer(new Json.Normalize.Factory(Spec1dot6)).serialize(bom, { sortLists: true, space: 2 });
}

/** The component catalogue: one row for each identity, every fact in it, and no second list of components anywhere. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import {
  assignedComponents,
  componentKeys,
  components,
  controlPlaneComponents,
  controlPlaneFields,
  dataPlaneComponents,
  dataPlaneFields,
  otherNames,
} from "../../src/domain/components.js";

test("each component has one row, with every fact", () => {
  expect(componentKeys).toEqual([
    ...["cpo", "nodepool-mgmt", "cloud-provider", "file", "disk", "ingress", "network", "image-registry", "kms"],
    ...["image-registry-MI", "azure-disk-MI", "azure-file-MI"],
  ]);
  for (const { secretProviderClass, pod, assigned, vaultRole } of controlPlaneComponents) {
    expect(secretProviderClass).toMatch(/^managed-azure-[a-z-]+$/);
    expect(pod).toMatch(/^[a-z-]+$/);
    expect(assigned ?? vaultRole).toBeDefined();
  }
  for (const { subject, assigned } of dataPlaneComponents) {
    expect(subject).toMatch(/^system:serviceaccount:openshift-[a-z-]+:[a-z-]+$/);
    expect(assigned).toBeDefined();
  }
  expect(assignedComponents.map(({ field }) => field)).toEqual([...controlPlaneFields, ...dataPlaneFields]);
});

test("no two components share a name of any kind", () => {
  const namesOf = [
    () => components.map(({ key }) => key),
    () => components.map(({ field }) => field),
    () => assignedComponents.map(({ assigned }) => assigned.hypershiftName),
    () => controlPlaneComponents.map(({ secretProviderClass }) => secretProviderClass),
    () => controlPlaneComponents.map(({ pod }) => pod),
    () => dataPlaneComponents.map(({ subject }) => subject),
  ];
  for (const names of namesOf) expect(new Set(names()).size).toBe(names().length);
});

test("every alias of a component resolves to its key, and no alias is a key", () => {
  const names = components.flatMap((component) => [component.field, component.assigned?.hypershiftName ?? component.field]);
  for (const name of names) expect(componentKeys).toContain(otherNames[name] ?? name);
  expect(otherNames).toMatchObject({
    capz: "nodepool-mgmt",
    cncc: "network",
    ciro: "image-registry",
    ciroWI: "image-registry-MI",
    "azure-disk": "disk",
    "azure-fileWI": "azure-file-MI",
    nodePoolManagement: "nodepool-mgmt",
    "cloud-network-config-controller": "network",
    "managed-azure-network": "network",
    kmsClientID: "kms",
  });
  expect(Object.keys(otherNames).filter((name) => componentKeys.some((key) => key === name))).toEqual([]);
});

/** Words that mean other things too: one of them is no list, three of them are. */
const common: ReadonlySet<string> = new Set(["file", "disk", "ingress", "network", "kms", "kube-apiserver", "capz"]);
/** A member of its own in the workload identities file and in the output of create infra. */
const allowed = "kmsClientID";

test("no other file of the program names the components", () => {
  const names = [...componentKeys, ...Object.keys(otherNames)].filter((name) => name !== allowed);
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((path) => join("src", path))
    .filter((path) => path.endsWith(".ts") && !path.startsWith("src/emulator/") && path !== "src/domain/components.ts");
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const code = readFileSync(file, "utf8");
    const mentioned = listed(names.filter((name) => code.includes(name)));
    if (mentioned.length === 0) return [];
    const words = wordsOf(file, code);
    return listed(mentioned.filter((name) => words.has(name))).map((name) => `${name} in ${file}`);
  });
  expect(found).toEqual([]);
});

function listed(names: readonly string[]): string[] {
  const rare = names.filter((name) => !common.has(name));
  return names.length - rare.length < 3 ? rare : [...names];
}

/** The names and texts of a file's code, without its comments and what it imports. */
function wordsOf(path: string, code: string): Set<string> {
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) words.add(node.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest));
  return words;
}

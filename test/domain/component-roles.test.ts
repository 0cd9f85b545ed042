import fc from "fast-check";
import { expect, test } from "vitest";
import { roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { assignedComponents } from "../../src/domain/components.js";
import { resourceGroupId } from "../../src/domain/resource-id.js";

/** Computed with `google/uuid`, which HyperShift uses, and confirmed with Python's `uuid` module. */
const vectors = {
  cpo: "1bff0adc-62ab-5322-ad80-c60a5ee2e0d6",
  capz: "54710833-0456-5b93-b9a0-08e316147bdb",
  "cloud-provider": "9f375631-3bdb-5d74-a4f8-15f05a4e5ea0",
  "azure-disk": "8959f640-526b-59a3-8aee-be8edbba41be",
  "azure-file": "24673ae8-1074-5f4b-8a33-7d2304c7a0a0",
  ingress: "8d962a97-10c0-5712-b439-255ec91c63fa",
  cncc: "7fb2727a-5e62-567f-930f-71a7962e076f",
  ciro: "b73bd52b-3769-57ad-90fa-bcd4c21c4ae5",
  ciroWI: "3ca5c720-1c01-57ee-8981-56f8a1a0522e",
  "azure-diskWI": "50eeade6-848a-5d3c-b130-666d6f47bb0b",
  "azure-fileWI": "c07deb6e-ff58-57f7-b782-457d17d377b2",
};
const scope = resourceGroupId("11111111-1111-1111-1111-111111111111", "my-rg");

test.each(Object.entries(vectors))("the assignment of %s has the name that HyperShift gives it", (component, name) => {
  expect(roleAssignmentName("myinfra-abc12", component, scope)).toBe(name);
});

test("the table has a vector for each component and no other", () => {
  expect(new Set(assignedComponents.map(({ assigned }) => assigned.hypershiftName))).toEqual(new Set(Object.keys(vectors)));
});

test("names differ if the infra ID, the component or the casing of the scope differs", () => {
  const text = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  fc.assert(
    fc.property(text, text, (infraId, component) => {
      const name = roleAssignmentName(infraId, component, scope);
      expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(roleAssignmentName(infraId, component, scope.toUpperCase())).not.toBe(name);
    }),
  );
});

test("a full run makes 18 assignments for the control plane and 3 for the data plane, 17 and 2 without the image registry", () => {
  const count = (plane: string, without?: string) =>
    assignedComponents
      .filter((row) => row.plane === plane && row.capability !== (without ?? "none"))
      .reduce((sum, { assigned }) => sum + assigned.scopes.length, 0);
  expect([count("control"), count("data"), count("control", "ImageRegistry"), count("data", "ImageRegistry")]).toEqual([18, 3, 17, 2]);
});

test("only the ingress identity reaches the group of the public zone", () => {
  expect(assignedComponents.filter(({ assigned }) => assigned.scopes.includes("dns")).map(({ key }) => key)).toEqual(["ingress"]);
});

test("the custom roles are the two built-in hosted control plane roles, by GUID", () => {
  expect(
    assignedComponents.flatMap(({ assigned: { hypershiftName, hcpRole } }) => (hcpRole ? [[hypershiftName, hcpRole.id]] : [])),
  ).toEqual([
    ["cpo", "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed"],
    ["capz", "88366f10-ed47-4cc0-9fab-c8a06148393e"],
  ]);
});

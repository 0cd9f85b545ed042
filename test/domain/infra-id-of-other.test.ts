/** Whether an infra ID is another cluster's, and what to delete if two clusters have it. */
import { expect, test } from "vitest";
import { infraIdOfOther } from "../../src/domain/infra-id-of-other.js";
import { plainAdvice } from "../harness/plain-advice.js";

const demo = { name: "demo", infraId: "demo-x7k2" };
const groups = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups";
const tagsOf = (name: string | undefined, infraId: string | undefined) => ({ "aro-hcp-name": name, "aro-hcp-infra-id": infraId });
const ours = tagsOf("demo", "demo-x7k2");
const theirs = { id: `${groups}/next`, tags: tagsOf("next", "demo-x7k2") };

test.each([
  ["nothing", []],
  ["our own resources", [{ id: `${groups}/a`, tags: ours }]],
  ["a resource with the infra ID and no name", [{ id: `${groups}/a`, tags: tagsOf(undefined, "demo-x7k2") }]],
  ["another cluster with another infra ID", [{ id: `${groups}/a`, tags: tagsOf("next", "next-a1b2") }]],
  ["another cluster without an infra ID", [{ id: `${groups}/a`, tags: tagsOf("next", undefined) }]],
])("with %s, the infra ID is no other cluster's", (_what, tagged) => {
  expect(infraIdOfOther(demo, tagged)).toBeUndefined();
});

test("an infra ID that only another cluster has is refused with the resource that shows it", () => {
  const failure = infraIdOfOther(demo, [{ id: `${groups}/own`, tags: tagsOf("demo", "other-a1b2") }, theirs]);
  expect(failure).toMatchObject({
    code: "ARO-OWN-001",
    message: 'infra ID "demo-x7k2" belongs to cluster "next", not to "demo"',
    because: `${groups}/next has the tags of that cluster`,
  });
});

test("of two clusters with one infra ID, the deletions of ours come in the order that Azure accepts", () => {
  const ids = ["demo-demo-x7k2-nsg", "demo-demo-x7k2-vnet", "demo-demo-x7k2", "else"].map((name) => `${groups}/${name}`);
  const inside = `${groups}/demo-demo-x7k2/providers/Microsoft.Network/loadBalancers/demo-x7k2`;
  const outside = `${groups}/shared/providers/Microsoft.Network/loadBalancers/demo-x7k2`;
  const tagged = [...ids, inside, outside].map((id) => ({ id, tags: ours }));
  const failure = infraIdOfOther(demo, [...tagged, theirs, { tags: ours }, { id: `${groups}/far`, tags: tagsOf("demo", "other-a1b2") }]);
  expect(failure).toMatchObject({ code: "ARO-OWN-001", message: 'clusters "demo" and "next" have the same infra ID "demo-x7k2"' });
  const [deletions = ""] = failure?.next?.map(plainAdvice) ?? [];
  const inOrder = ["else ", "demo-demo-x7k2 ", "demo-demo-x7k2-vnet ", "demo-demo-x7k2-nsg "].map((name) =>
    deletions.indexOf(`--name ${name}`),
  );
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  expect(inOrder).not.toContain(-1);
  expect(deletions).toContain(`az resource delete --ids ${outside}`);
  expect(deletions).not.toContain(inside);
  expect(deletions).not.toContain("far");
  const onlyGroups = infraIdOfOther(demo, [{ id: ids[0] ?? "", tags: ours }, theirs]);
  expect(onlyGroups?.next?.map(plainAdvice)[0]?.split(", and run it: ")[1]).toMatch(/^`[^`]+`$/);
});

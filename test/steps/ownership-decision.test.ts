/** What is decided about a resource that a step creates, and about an existing one that a flag names. */
import { describe, expect, test } from "vitest";
import { resourceTypes } from "../../src/domain/resource-types.js";
import { Failure } from "../../src/errors/failure.js";
import { withoutItsTags } from "../../src/steps/lost-tags.js";
import { decideOwned, useExisting } from "../../src/steps/ownership-decision.js";

const row = resourceTypes.natGateway;
const wanted = { row, name: "nat", owner: { name: "demo", infraId: "x7k2" }, location: "eastus" };
const tags = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "x7k2" };
const live = { location: "eastus", provisioningState: "Succeeded", tags };
const change = { path: "sku", from: "a", to: "b" };
const failed = { path: "provisioningState", from: "Failed", to: "Succeeded" };

describe("a resource that a step creates", () => {
  test.each([
    ["that does not exist", undefined, { act: "create" }],
    ["of ours", live, { act: "keep" }],
    ["of ours in a failed state", { ...live, provisioningState: "Failed" }, { act: "update", changes: [failed] }],
    ["of nobody", { ...live, tags: {} }, { act: "refuse", failure: { code: "ARO-OWN-001" } }],
    ["of another cluster", { ...live, tags: { ...tags, "aro-hcp-infra-id": "next" } }, { act: "refuse", failure: { code: "ARO-OWN-001" } }],
    [
      "of ours elsewhere",
      { ...live, location: "westus3" },
      { act: "refuse", failure: { code: "ARO-OWN-002", place: { live: "westus3", wanted: "eastus" } } },
    ],
    [
      "of ours without a location",
      { tags },
      { act: "refuse", failure: { message: expect.stringContaining("is in no location") as string } },
    ],
  ])("%s", (_what, found, decision) => {
    expect(decideOwned(found, wanted, () => [])).toMatchObject(decision);
  });

  test("is updated with what differs, after its failed state", () => {
    expect(decideOwned(live, wanted, () => [change])).toEqual({ act: "update", why: "it differs", changes: [change] });
    expect(decideOwned({ ...live, provisioningState: "Failed" }, wanted, () => [change])).toMatchObject({ changes: [failed, change] });
    const failure = new Failure("ARO-OWN-002", "no");
    expect(decideOwned(live, wanted, () => failure)).toEqual({ act: "refuse", failure });
  });

  test("gets its ownership tags back if it lost them, and each change is listed once", () => {
    const lost = withoutItsTags({ ...live, tags: { "aro-hcp-name": "demo" } });
    const restored = { path: "tags.aro-hcp-infra-id", from: undefined, to: "x7k2" };
    const expected = { act: "update", why: "it lost its ownership tags", changes: [restored, change] };
    expect(decideOwned(lost, wanted, () => [restored, change])).toEqual(expected);
  });

  test("may be anywhere if its type is global", () => {
    const { location: _, ...global } = wanted;
    expect(decideOwned({ ...live, location: "westus3" }, global, () => [])).toEqual({ act: "keep" });
  });
});

describe("an existing resource", () => {
  const existing = { row, what: "NAT gateway theirs", location: "eastus", flag: "--nat-gateway-id" };

  test.each([
    ["that is absent", undefined, { act: "refuse", failure: { code: "ARO-OWN-003", message: "NAT gateway theirs does not exist" } }],
    ["of anybody", { location: "East US" }, { act: "use" }],
    ["elsewhere", { location: "westus3" }, { act: "refuse", failure: { message: "NAT gateway theirs is in westus3, not in eastus" } }],
    ["without a location", {}, { act: "refuse", failure: { message: "NAT gateway theirs is in no location, not in eastus" } }],
    ["in a failed state", { location: "eastus", provisioningState: "Failed" }, { act: "refuse", failure: { code: "ARO-OWN-003" } }],
  ])("%s", (_what, found, decision) => {
    expect(useExisting(found, existing)).toMatchObject(decision);
  });

  test("may be anywhere if no location is wanted", () => {
    const { location: _, ...anywhere } = existing;
    expect(useExisting({ location: "westus3" }, anywhere)).toEqual({ act: "use" });
  });

  test("is refused for a fault of its own", () => {
    const failure = new Failure("ARO-OWN-003", "no");
    expect(useExisting({ location: "eastus" }, existing, () => failure)).toEqual({ act: "refuse", failure });
    expect(useExisting({ location: "eastus" }, existing, () => undefined)).toEqual({ act: "use" });
  });
});

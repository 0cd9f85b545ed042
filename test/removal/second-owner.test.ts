/** A destroy refuses what has the tags of two owners, and says how to remove either. */
import { expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { hasSecondOwner, requireOneOwner } from "../../src/removal/second-owner.js";
import { plainAdvice } from "../harness/plain-advice.js";

const set = { identitySet: "demo" };
const ours = { "aro-hcp-identities": "demo" };
const both = { ...ours, team: "a", "aro-hcp-arc": "edge", "aro-hcp-dns-zone": "example.com" };

function refusal(...owned: Parameters<typeof requireOneOwner>[1]): Failure | undefined {
  try {
    requireOneOwner(set, owned);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return undefined;
}

test("one owner is no reason to refuse, whatever other tags there are", () => {
  for (const tags of [undefined, {}, ours, { ...ours, team: "a" }]) {
    expect(refusal({ id: "/a", tags })).toBeUndefined();
    expect(hasSecondOwner(set, tags)).toBe(false);
  }
  expect(refusal()).toBeUndefined();
  expect(hasSecondOwner(set, both)).toBe(true);
});

test("of several resources, those with a second owner are named, with the tags of each owner", () => {
  const failure = refusal({ id: "/a", tags: ours }, { id: "/b", tags: both });
  expect(failure).toMatchObject({
    code: "ARO-OWN-001",
    message: "1 resource to delete has a second owner",
    because: "/b is also tagged aro-hcp-arc=edge, aro-hcp-dns-zone=example.com",
  });
  const [advice = ""] = failure?.next?.map(plainAdvice) ?? [];
  expect(advice).toContain("--resource-id /b --operation Delete --tags aro-hcp-arc=edge aro-hcp-dns-zone=example.com");
  expect(advice).toContain("--resource-id /b --operation Delete --tags aro-hcp-identities=demo");
  expect(refusal({ id: "/a", tags: both }, { id: "/b", tags: both })?.message).toBe("2 resources to delete have a second owner");
});

/** Names derived from name and infra ID: whether they are too long, and only if a resource with that name is created. */
import { expect, test } from "vitest";
import { create, problemsOf, vnetId } from "./resolving.js";

const messages = async (flags: Parameters<typeof create>[0]): Promise<string[]> =>
  (await problemsOf(create(flags))).map(({ message }) => message);

const long = { name: "a".repeat(40), infraId: "b".repeat(30) };

test("name and infra ID together can be too long for a network", async () => {
  expect(await messages(long)).toEqual([expect.stringContaining("has 71 characters, Azure takes 2 to 64")]);
});

test("the name of an existing resource does not matter", async () => {
  expect(await messages({ ...long, vnetId })).toEqual([]);
});

test("a label of the private zone can be too long, with documented naming only", async () => {
  const name = "a".repeat(52);
  expect(await messages({ name })).toEqual([expect.stringContaining("private DNS zone name")]);
  expect(await messages({ name, naming: "hypershift" })).toEqual([]);
});

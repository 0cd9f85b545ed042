/** Names that follow from name and infra id: too long together, or not, and only where something is made under them. */
import { expect, test } from "vitest";
import { create, problemsOf, vnetId } from "./resolving.js";

const messages = async (flags: Parameters<typeof create>[0]): Promise<string[]> =>
  (await problemsOf(create(flags))).map(({ message }) => message);

const long = { name: "a".repeat(40), infraId: "b".repeat(30) };

test("a name and an infra id may be too long together for a network", async () => {
  expect(await messages(long)).toEqual([expect.stringContaining("has 71 characters, Azure takes 2 to 64")]);
});

test("the name of what is brought does not matter", async () => {
  expect(await messages({ ...long, vnetId })).toEqual([]);
});

test("a label of the private zone may be too long, in documented naming alone", async () => {
  const name = "a".repeat(52);
  expect(await messages({ name })).toEqual([expect.stringContaining("private DNS zone name")]);
  expect(await messages({ name, naming: "hypershift" })).toEqual([]);
});

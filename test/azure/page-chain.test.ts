import { expect, test } from "vitest";
import { mostPages, pageChain } from "../../src/azure/page-chain.js";

const list = "https://management.azure.com/subscriptions/s/resources";
const page = (token: number | string) => `${list}?$skiptoken=${String(token)}`;

test("a list of ever new pages ends at the limit", () => {
  const follow = pageChain();
  for (let number = 1; number < mostPages; number++) follow(page(number), page(number + 1));
  expect(() => follow(page(mostPages), page(mostPages + 1))).toThrow(expect.objectContaining({ code: "ARO-NET-006" }));
});

test.each([
  ["itself", [page("a"), page("a")]],
  ["itself, with the API version that the client adds", [`${page("a")}&api-version=1`, page("a")]],
  ["its first page", [list, page("a"), list]],
  ["an earlier page", [list, page("a"), page("b"), page("c"), page("a")]],
])("a list that leads back to %s ends there", (_title, addresses) => {
  const follow = pageChain();
  const steps = addresses.slice(1).map((next, index) => () => follow(addresses[index] ?? "", next));
  for (const step of steps.slice(0, -1)) step();
  expect(steps.at(-1)).toThrow(expect.objectContaining({ code: "ARO-NET-006" }));
});

test("a list may be read again and again, also by several readers at once", () => {
  const follow = pageChain();
  const read = (address: string, next: string) => expect(() => follow(address, next)).not.toThrow();
  for (let reader = 0; reader < 3; reader++) read(list, page("a"));
  for (let reader = 0; reader < 3; reader++) read(page("a"), page("b"));
  for (let reader = 0; reader < 3; reader++) read(list, page("a"));
});

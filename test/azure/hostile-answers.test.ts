/** What each client makes of answers that are cut off, foreign or endless. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { all } from "../../src/azure/pages.js";
import { largestBodyBytes } from "../../src/azure/response-body.js";
import { wellKnown } from "../../src/emulator/index.js";
import { client, clients, groups, html, ok, opened, outcome } from "./hostile-clients.js";

const token = { method: "POST", host: "login.microsoftonline.com", path: "/oauth2/v2.0/token$" };

/** What may happen to an answer, once. */
const effects: Readonly<Record<string, object>> = {
  "cut off by a reset": { cut: "reset" },
  "cut off in order": { cut: "fin" },
  "cut off by a reset, without a length": { cut: "reset", chunked: true },
  "cut off in order, without a length": { cut: "fin", chunked: true },
  "compressed and cut off by a reset": { cut: "reset", gzip: true },
  "compressed and cut off in order": { cut: "fin", gzip: true },
  "compressed, without a length, and cut off by a reset": { cut: "reset", gzip: true, chunked: true },
  "compressed, without a length, and cut off in order": { cut: "fin", gzip: true, chunked: true },
  empty: { answer: ok() },
  "an empty object": { answer: ok("{}") },
  null: { answer: ok("null") },
  "a number": { answer: ok("5") },
  "text in JSON": { answer: ok('"x"') },
  "half of an object": { answer: ok('{"id": "/subscr') },
  "a page": { answer: html },
  "no gzip, which the headers claim": { answer: { status: 200, headers: { "content-encoding": "gzip" }, body: "plain" } },
  "an unknown encoding": { answer: { status: 200, headers: { "content-encoding": "zip" }, body: "plain" } },
};

describe("the request is retried if one answer is cut off or not from Azure", () => {
  test.each(Object.entries(clients))("%s", async (_title, { request, read }) => {
    // Every other request is answered undisturbed, and the first two.
    const faults = Object.values(effects).map((effect, index) => ({ ...request, nth: 2 * index + 3, ...effect }));
    const { azure, vault } = await opened(faults);
    await read(azure, vault);
    const expected = await outcome(read(azure, vault));
    const outcomes: Record<string, string> = {};
    for (const title of Object.keys(effects)) outcomes[title] = await outcome(read(azure, vault));
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(effects).map((title) => [title, expected])));
  });
});

describe("answers that stay foreign end as what they are, after a few tries", () => {
  test.each(
    Object.entries(clients).flatMap(([title, client]) => [
      [title, "an empty object", client, ok("{}")] as const,
      [title, "a page", client, html] as const,
      [title, "no body", client, ok()] as const,
    ]),
  )("%s: %s", async (_title, _what, { request, read }, answer) => {
    const { azure, vault, requests } = await opened([{ ...request, times: 100_000, answer }]);
    expect(await outcome(read(azure, vault))).toBe("ARO-NET-003");
    const path = new RegExp(request.path, "i");
    const tries = requests().filter(({ method, url }) => method === request.method && path.test(new URL(url).pathname.replace(/\/$/, "")));
    expect(tries.length).toBeGreaterThan(2);
    expect(tries.length).toBeLessThan(10);
  });
});

const id = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/dns`;

test.each<[string, string, unknown]>([
  ["an object that names another", "an object of Resource Manager", { id: `${id}x` }],
  ["an object without ID", "an object of Resource Manager", { name: "dns" }],
  ["null in a list", "a list of Resource Manager", { value: [null] }],
  ["a number in a list", "a list of Resource Manager", { value: [5] }],
  ["text in a list", "a list of Resource Manager", { value: ["x"] }],
  ["an object of nulls in a list", "a list of Resource Manager", { value: [{ id: null, name: null }] }],
  ["null in a list of the directory", "a list of the directory", { value: [null] }],
  ["an object without ID in a list of the directory", "a list of the directory", { value: [{ appId: wellKnown.clientId }] }],
  ["null in a list of a vault", "a list of a vault", { value: [null] }],
  ["an object without ID in a list of a vault", "a list of a vault", { value: [{ attributes: {} }] }],
  ["a secret of another name", "a secret", { id: "https://v.vault.azure.net/secrets/other/0", value: "x" }],
  ["a nextLink that is an object", "a list of Resource Manager", { value: [], nextLink: {} }],
])("%s is not from Azure", async (_title, name, body) => {
  const { request, read } = client(name);
  const { azure, vault } = await opened([{ ...request, times: 100_000, answer: ok(body) }]);
  expect(await outcome(read(azure, vault))).toBe("ARO-NET-003");
});

const errors: readonly (readonly [what: string, body: unknown])[] = [
  ["a code that is a number", { error: { code: 5, message: "m" } }],
  ["a message that is a number", { error: { code: "C", message: 5 } }],
  ["objects for code and message", { error: { code: {}, message: {} } }],
  ["lists for code and message", { error: { code: ["C"], message: ["m"] } }],
  ["null for code and message", { error: { code: null, message: null } }],
  ["numbers without an envelope", { code: 5, message: 5 }],
  ["details that are a number", { error: { code: "C", message: "m", details: 5 } }],
  ["null among the details", { error: { code: "C", message: "m", details: [null] } }],
  ["more information that is text", { error: { code: "C", message: "m", additionalInfo: "x" } }],
  ["an error that is null", { error: null }],
  ["an error that is a number", { error: 5 }],
  ["a list", ["C"]],
  ["null", "null"],
];

describe("an error body whose members have other types is an error of Azure", () => {
  test.each(Object.entries(clients).filter(([title]) => title !== "a public document"))("%s", async (_title, { request, read }) => {
    const faults = errors.map(([, body], index) => ({ ...request, nth: 2 * index + 3, answer: { ...ok(body), status: 400 } }));
    const { azure, vault } = await opened(faults);
    // A vault's first request is a challenge.
    await read(azure, vault);
    const outcomes: string[] = [];
    for (let reads = 0; reads < 2 * errors.length + 2; reads += 1) outcomes.push(await outcome(read(azure, vault)));
    expect(outcomes.filter((each) => each.startsWith("ARO-"))).toEqual(errors.map(() => "ARO-AZURE-001"));
  });

  test.each(errors)("a token: %s", async (_what, body) => {
    const { azure } = await opened([{ ...token, times: 100_000, answer: { ...ok(body), status: 400 } }]);
    expect(await outcome(all((await azure.resources()).resourceGroups.list()))).toMatch(/^ARO-AUTH-00[12]$/);
  });
});

test.each([
  ["Request_ResourceNotFound", "undefined"],
  ["ResourceNotFound", "ARO-AZURE-005"],
  ["NotFound", "ARO-AZURE-005"],
])("a 404 of the directory with the code %s: %s", async (code, expected) => {
  const { request, read } = client("an object of the directory");
  const { azure, vault } = await opened([{ ...request, times: 100, answer: { ...ok({ error: { code, message: "m" } }), status: 404 } }]);
  expect(String(await outcome(read(azure, vault)))).toBe(expected);
});

describe("an endless answer ends at the limit", () => {
  test.each(["a list of Resource Manager", "a secret", "a blob", "a public document"])("%s", async (name) => {
    const { request, read } = client(name);
    const body = "x".repeat(1024 * 1024);
    const { azure, vault } = await opened([{ ...request, times: 100_000, endless: true, answer: ok(body) }]);
    expect(await outcome(read(azure, vault))).toBe("ARO-NET-004");
  });

  test("a small answer that expands without end", async () => {
    const bomb = gzipSync(Buffer.alloc(largestBodyBytes + 1)).toString("base64");
    const answer = { status: 200, headers: { "content-encoding": "gzip", "content-type": "application/json" }, base64: bomb };
    const { azure } = await opened([{ ...groups, times: 100_000, answer }]);
    expect(await outcome(all((await azure.resources()).resourceGroups.list()))).toBe("ARO-NET-004");
  });
});

describe("a token", () => {
  test.each(Object.entries(effects))("is requested again after a bad answer: %s", async (_title, effect) => {
    const { azure } = await opened([{ ...token, ...effect }]);
    expect(await outcome(all((await azure.resources()).resourceGroups.list()))).toContain('"dns"');
  });

  test.each([
    ["an empty object", ok("{}"), "ARO-NET-003"],
    ["a page", html, "ARO-NET-003"],
    ["no body", ok(), "ARO-NET-003"],
  ])("%s in its place is not from Azure", async (_title, answer, code) => {
    const { azure } = await opened([{ ...token, times: 100_000, answer }]);
    expect(await outcome(all((await azure.resources()).resourceGroups.list()))).toBe(code);
  });
});

import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { readDocument } from "../../src/files/read.js";
import { validate } from "../../src/files/validate.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const directory = temporaryDirectory(afterAll);

test("YAML and JSON give the same value, also with tabs and a byte-order mark", async () => {
  const value = { a: { b: [1, "two"] } };
  for (const text of [
    JSON.stringify(value),
    "a:\n  b: [1, two]\n",
    JSON.stringify(value, undefined, "\t"),
    `\uFEFF${JSON.stringify(value)}`,
  ]) {
    expect((await readDocument(directory.write("ok.yaml", text))).value).toEqual(value);
  }
});

test("each value has its line; a missing value has the line of its parent", async () => {
  const file = directory.write("lines.yaml", "# comment\nname: demo\nouter:\n  inner: 1\n");
  const document = await readDocument(file);
  expect(document.at(["name"])).toBe(`${file}:2`);
  expect(document.at(["outer", "inner"])).toBe(`${file}:4`);
  expect(document.at(["outer", "absent"])).toBe(`${file}:4`);
  expect(document.at([])).toBe(`${file}:2`);
});

describe("an unusable file is rejected", () => {
  test.each([
    ["", "is empty"],
    ["  \n# only a comment\n", "is empty"],
    ["{}x", ":1 is not well-formed"],
    ['{"a": 1,\n "a": 2}', ":2 is not well-formed YAML or JSON: a key is there twice"],
    ["a: 1\nb: {{ a }}\n", ":2 is not well-formed YAML or JSON: a key is not text, or a template such as {{ name }} needs quotes"],
    ["a:\n  1: b\n  '1': c\n", ":3 is not well-formed YAML or JSON: a key is there twice"],
    ["a: *unknown\n", "is not well-formed"],
    ["a: [1, 2\nb: 3\n", "is not well-formed"],
    ["x".repeat(1024 * 1024 + 1), "is larger than 1048576 bytes"],
    [Uint8Array.from([0x61, 0x3a, 0x20, 0xff]), "is not UTF-8 text"],
  ])("case %#", async (content, why) => {
    const file = directory.write("bad.yaml", content);
    await expect(readDocument(file)).rejects.toMatchObject({ code: "ARO-FILE-002", message: expect.stringContaining(why) as string });
  });

  test("because it does not exist", async () => {
    await expect(readDocument(path.join(directory.path, "absent"))).rejects.toMatchObject({
      code: "ARO-FILE-001",
      message: expect.stringContaining("ENOENT") as string,
    });
  });

  test("because it is a directory", async () => {
    await expect(readDocument(directory.path)).rejects.toMatchObject({ code: "ARO-FILE-002" });
  });

  test("because its aliases expand without limit", async () => {
    const bomb = ["a0: &a0 [x]", ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`)].join("\n");
    await expect(readDocument(directory.write("bomb.yaml", bomb))).rejects.toMatchObject({ code: "ARO-FILE-002" });
  });
});

test("no error quotes the content of a malformed file", async () => {
  for (const text of [
    'clientSecret: "hunter2',
    "clientSecret: *hunter2\n",
    "clientSecret: hunter2: hunter2\n",
    "hunter2: 1\nhunter2: 2\n",
    "clientSecret: !hunter2 x\n: ]",
    "clientSecret: {{ hunter2 }}\n",
    "? [hunter2]\n: 1\n",
    "a: &a [hunter2]\n*a : 1\n",
  ]) {
    const error: unknown = await readDocument(directory.write("secret.yaml", text)).catch((reason: unknown) => reason);
    expect(error, text).toBeInstanceOf(Error);
    expect(String(error)).not.toContain("hunter2");
  }
});

test("no warning of the parser quotes the content", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  try {
    await readDocument(directory.write("warns.yaml", "clientSecret: !hunter2 x\n")).catch(() => undefined);
    await readDocument(directory.write("key.yaml", "clientSecret: {{ hunter2 }}\n")).catch(() => undefined);
    expect(warned.mock.calls).toEqual([]);
  } finally {
    warned.mockRestore();
  }
});

test.skipIf(process.platform === "win32")("a device that never ends is rejected immediately", async () => {
  await expect(readDocument("/dev/zero")).rejects.toMatchObject({ code: "ARO-FILE-002" });
});

/** 50 kB of what makes parsers compare, quote or search everything again for each character. */
const length = 50_000;
const filled = (text: string): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);

// With a time that grows with the square of the length, each would take longer than a test may.
describe("a hostile document is refused in a time that grows with its length", () => {
  test.each([
    ["commas in a list", `[${filled(",")}`],
    ["quotes", filled('"')],
    ["quoted texts", filled('"" ')],
    ["ends of lists", filled("]")],
    ["open and closed maps", `{${filled("}{")}`],
    ["questions in a list", `[${filled("? ")}`],
    ["anchors", filled("&a ")],
    ["aliases", `[&a x${filled(",*a")}]`],
    ["aliases of a list", `[&a [x]${filled(",*a")}]`],
    ["unknown aliases", `[${filled("*a,")}`],
    ["tags", filled("!a ")],
    ["wrong escapes", `"${filled("\\x")}`],
    ["a torn text on each line", filled('a: "\n')],
    ["documents", filled("--- a\n")],
    ["directives", filled("%a\n")],
    ["duplicate keys", filled("a: b\n")],
    ["merge keys", filled("<<: a\n")],
    ["lists in lists", filled("[")],
    ["maps in maps", filled("{")],
    ["lists in maps in lists", filled("[{")],
    ["JSON in JSON", filled('{"a":')],
    ["lists on one line", filled("- ")],
    ["keys on one line", filled("? ")],
    ["lists below each other", Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}-`).join("\n")],
    ["maps below each other", Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("%s", async (_what, text) => {
    await expect(readDocument(directory.write("hostile.yaml", text))).rejects.toMatchObject({ code: "ARO-FILE-002" });
  });
});

test("the line of each of tens of thousands of keys is found", async () => {
  const document = await readDocument(
    directory.write("lines.yaml", Array.from({ length: 60_000 }, (_, index) => `k${String(index)}: v`).join("\n")),
  );
  const lines = Array.from({ length: 60_000 }, (_, index) => document.at([`k${String(index)}`]));
  expect(lines.at(-1)).toBe(`${document.path}:60000`);
});

test("a document of a hundred levels is read", async () => {
  const text = `${"[".repeat(100)}1${"]".repeat(100)}`;
  expect(JSON.stringify((await readDocument(directory.write("deep.yaml", text))).value)).toBe(text);
});

// A comparison of all pairs of keys would take longer than a test may.
test("tens of thousands of keys are read, and a duplicate among them is found", async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `k${String(index)}: v`).join("\n");
  expect(Object.keys((await readDocument(directory.write("many.yaml", many))).value as object)).toHaveLength(60_000);
  const twice = directory.write("twice.yaml", `${many}\nk7: v\n`);
  await expect(readDocument(twice)).rejects.toMatchObject({
    message: `${twice}:60001 is not well-formed YAML or JSON: a key is there twice`,
  });
});

test("a value of a wrong type, and a missing one, are reported in words of the file", async () => {
  const schema = z.object({ vault: z.object({ name: z.string() }), replicas: z.number(), zones: z.array(z.string()) });
  const document = await readDocument(directory.write("types.yaml", "vault: 5\nreplicas: three\n"));
  expect(() => validate(document, schema, "a cluster")).toThrow(
    expect.objectContaining({
      problems: [
        { origin: `${directory.path}/types.yaml:1`, message: "vault: expected an object, got a number" },
        { origin: `${directory.path}/types.yaml:2`, message: "replicas: expected a number, got text" },
        { origin: `${directory.path}/types.yaml:1`, message: "zones: is missing" },
      ],
    }) as Error,
  );
});

test("a file that is too large has no line to correct", async () => {
  const file = directory.write("large.yaml", "x".repeat(1024 * 1024 + 1));
  await expect(readDocument(file)).rejects.toMatchObject({ next: ["pass the path of another file"] });
});

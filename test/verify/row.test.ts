/** Rows of checks: which instances they make, and which instances of other rows each of them needs. */
import { expect, test } from "vitest";
import { toFailure } from "../../src/azure/to-failure.js";
import { failed, passed, type Check } from "../../src/verify/check.js";
import { everyOf, given, group, instancesOf, rowsOf, type Group, type Subject } from "../../src/verify/row.js";
import { runChecks } from "../../src/verify/run.js";

interface Context {
  readonly vault: string | undefined;
}

const check = (id: string): Check => ({ id, sentence: `${id} is correct`, severity: "error" });
const row = rowsOf<Context, Subject, string>({ vault: check("vault"), entry: check("entry"), secret: check("secret") });

const vault = row("vault", { name: given(({ vault: name }: Context) => name, "no vault") }, ({ name }) => passed("", name));
const entry = row("entry", {}, (_needs, _context, { key }) => (key === "b" ? failed("wrong", "") : passed("", `client of ${key}`)));
const secret = row("secret", { name: vault, client: entry, every: everyOf(entry) }, ({ name, client, every }) =>
  passed(`${client} in ${name}; ${every.map(({ result }) => `${result.subject} ${result.state}`).join(", ")}`),
);

const one = [{ key: "vault" }];
const components = [{ key: "a" }, { key: "b" }];

async function run(context: Context, groups: readonly Group<Context>[]): Promise<string[]> {
  const options = { concurrency: 4, signal: new AbortController().signal, emit: () => undefined, elapsedMs: () => 0, toFailure };
  const results = await runChecks(instancesOf(context, groups), options);
  return results.map(({ check: id, subject, state, evidence }) => `${id}/${subject} ${state}: ${JSON.stringify(evidence)}`);
}

test("a row needs the instance of its own subject, the only instance of another row, or all of them", async () => {
  expect(await run({ vault: "kv" }, [group(one, vault), group(components, entry), group(components, secret)])).toEqual([
    'vault/vault passed: ""',
    'entry/a passed: ""',
    'entry/b failed: "wrong"',
    'secret/a passed: "client of a in kv; a passed, b failed"',
    'secret/b skipped: "depends on entry of b, which failed"',
  ]);
});

test("without an input of the whole verification, a row is skipped with the reason, and so are those that need it", async () => {
  const results = await run({ vault: undefined }, [group(one, vault), group(components, entry), group(components, secret)]);
  expect(results.filter((line) => line.includes("skipped"))).toEqual([
    'vault/vault skipped: "no vault"',
    'secret/a skipped: "no vault"',
    'secret/b skipped: "no vault"',
  ]);
});

test("a row that needs a later one is a bug, and so is one without an instance for the subject", () => {
  expect(() => instancesOf({ vault: "kv" }, [group(components, secret), group(one, vault)])).toThrow(
    "a needs vault, which is not before it",
  );
  const groups = [group(one, vault), group(components, entry), group([{ key: "c" }], secret)];
  expect(() => instancesOf({ vault: "kv" }, groups)).toThrow("c needs entry, which is not before it");
});

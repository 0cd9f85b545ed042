/** Every kind that any destroy deletes × what others have of it: they lose nothing. The kinds follow from what the destroys delete. */
import { beforeAll, describe, expect, test } from "vitest";
import { rowOf, rows } from "../../src/domain/resource-catalogue.js";
import { isGroupId, isWithin } from "../../src/domain/resource-id.js";
import type { KeptState } from "../../src/emulator/state/kept-state.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import type { MemoryAzure } from "../harness/memory-azure.js";
import { destroys, estate, type Destroy } from "./estate.js";
import { kinds, type Column, type Subject } from "./kinds.js";

type Entries = ReadonlyMap<string, unknown>;

/** Everything in a state that has an owner. */
function entriesOf({ resources, roleAssignments, applications, vaults = {}, managedHsms = {} }: AzureState): Entries {
  const under = (path: string, held: object = {}) =>
    Object.entries(held).map(([key, value]) => [`${path}/${key}`, value as unknown] as const);
  return new Map([
    ...Object.entries(resources).map(([id, { tags, properties }]) => [id, { tags, properties }] as const),
    ...under("role assignment", roleAssignments),
    ...under("application", applications),
    ...Object.entries(vaults).flatMap(([name, { certificates, secrets }]) => [
      ...under(`vaults/${name}/certificates`, certificates),
      ...under(`vaults/${name}/secrets`, secrets),
    ]),
    ...Object.entries(managedHsms).flatMap(([name, { content, roleAssignments: local }]) => [
      ...under(`HSM key/${name}/keys`, content.keys),
      ...under(`HSM role assignment/${name}`, Object.fromEntries(local.map((one) => [one.name, one]))),
    ]),
  ]);
}

/** The first of each kind of what a destroy deletes. What is in a deleted resource, or in the group of AKS's own, is deleted with it. */
function subjectsOf(before: AzureState, deleted: ReadonlySet<string>): Map<string, Subject> {
  const ids = [...deleted].filter((entry) => entry.startsWith("/"));
  const isNodeGroup = (id: string) => isGroupId(id) && before.resources[id]?.beside?.["managedBy"] !== undefined;
  const containers = ids.filter((id) => !isGroupId(id) || isNodeGroup(id));
  const vaultNames = new Set(ids.map((id) => /\/vaults\/([^/]+)$/.exec(id)?.[1]));
  const found = [...deleted].flatMap((entry): (readonly [string, Subject])[] => {
    const resource = before.resources[entry];
    if (resource !== undefined) {
      if (containers.some((one) => one !== entry && isWithin(entry, one))) return [];
      const kind = isNodeGroup(entry) ? "node resource group" : (rowOf(resource.type)?.type ?? resource.type);
      return [[kind, { id: resource.id, entry }]];
    }
    const [kind = "", name] = entry.split("/");
    if (kind === "vaults") return vaultNames.has(name) ? [] : [["certificate and secret", { id: "", entry }]];
    return [[kind, { id: "", entry }]];
  });
  return new Map(found.toReversed());
}

let azure: MemoryAzure;
let kept: KeptState;
/** What each destroy deletes if nobody else has a part in it. */
const undisturbed = new Map<
  Destroy,
  { readonly deleted: ReadonlySet<string>; readonly after: Entries; readonly subjects: Map<string, Subject> }
>();

beforeAll(async () => {
  azure = await estate();
  kept = azure.keep();
  const before = entriesOf(kept.state);
  for (const [name, args] of Object.entries(destroys) as [Destroy, readonly string[]][]) {
    azure.restore(kept);
    const { code, stderr } = await azure.run([...args, "--yes"]);
    expect(code, stderr).toBe(0);
    const after = entriesOf(azure.keep().state);
    const gone = [...before.keys()].filter((entry) => !after.has(entry));
    const vaults = gone.flatMap((id) => (/\/microsoft\.keyvault\/vaults\/[^/]+$/.test(id) ? [`vaults/${id.split("/")[8] ?? ""}/`] : []));
    // Azure keeps the contents of a vault with purge protection for a time.
    const deleted = new Set([...gone, ...[...before.keys()].filter((entry) => vaults.some((vault) => entry.startsWith(vault)))]);
    undisturbed.set(name, { deleted, after, subjects: subjectsOf(kept.state, deleted) });
  }
});

/** What is wrong after the destroy of something in which others have a part. */
async function problemsOf(destroy: Destroy, kind: string, subject: Subject, column: Column): Promise<string[]> {
  const row = kinds[kind];
  if (row === undefined) return ["has no row"];
  const { used, foreign, late = typeof foreign === "string" ? used : foreign } = row;
  const others = { ...row, late }[column];
  if (typeof others === "string") return [];
  azure.restore(kept);
  let wanted: Entries | undefined;
  const come = async () => {
    await others(azure, subject);
    wanted = entriesOf(azure.keep().state);
  };
  if (column !== "late") await come();
  const { code, stderr } = await azure.run([...destroys[destroy], "--yes"], column === "late" ? come : undefined);
  const { deleted = new Set(), after } = undisturbed.get(destroy) ?? {};
  const end = entriesOf(azure.keep().state);
  const isSame = (entry: string, value: unknown) =>
    [value, after?.get(entry)].some((one) => JSON.stringify(one) === JSON.stringify(end.get(entry)));
  const lost = [...(wanted ?? [])].filter(([entry, value]) =>
    entry === subject.entry ? !end.has(entry) : !deleted.has(entry) && !isSame(entry, value),
  );
  const isSaid =
    code === 0 ? /theirs|keep/.test(stderr) : (code === 5 && /ARO-OWN-\d+/.test(stderr)) || (code === 1 && /ARO-DELETE-001/.test(stderr));
  return [
    ...(wanted === undefined ? ["others did not come"] : []),
    ...lost.map(([entry]) => `lost ${entry}`),
    ...(isSaid ? [] : [`exit code ${String(code)}: ${stderr.slice(stderr.indexOf("error:"))}`]),
  ];
}

describe("what a destroy deletes", () => {
  test.each(Object.keys(destroys) as Destroy[])("destroy %s takes nothing from others, whatever they have of it", async (destroy) => {
    const problems: string[] = [];
    for (const [kind, subject] of undisturbed.get(destroy)?.subjects ?? [])
      for (const column of ["tagged", "used", "foreign", "late"] as const)
        problems.push(...(await problemsOf(destroy, kind, subject, column)).map((problem) => `${kind}, ${column}: ${problem}`));
    expect(problems).toEqual([]);
  });

  test("is in the table, with every type that a create makes, and the table has nothing else", () => {
    const seen = new Set([...undisturbed.values()].flatMap(({ subjects }) => [...subjects.keys()]));
    expect(Object.keys(kinds).toSorted()).toEqual([...seen].toSorted());
    const made = rows.flatMap(({ type, use }) => (use?.verbs.some((verb) => verb === "write") ? [type] : []));
    const isKnown = (type: string) =>
      type === "Microsoft.Authorization/roleAssignments" || Object.keys(kinds).some((kind) => isWithin(type, kind));
    expect(made.filter((type) => !isKnown(type))).toEqual([]);
  });
});

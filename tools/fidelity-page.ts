/** docs/internals/fidelity.md: what the emulator's declarations say, and the deliberate differences from Azure. */
import { armEndpoints } from "../src/emulator/services/resource-manager/service.js";
import type { ResourceType } from "../src/emulator/arm/resource-type.js";
import type { VersionDifference } from "../src/emulator/arm/version-difference.js";
import type { LongRunning } from "../src/emulator/arm/long-running.js";
import { emulatedTypes } from "../src/emulator/arm/types/index.js";
import { plural } from "../src/text/plural.js";
import { differences } from "./fidelity-differences.js";
import { operations, operationsOf, operationsOfParts } from "./fidelity-operations.js";
import { witnessKinds, witnessOf } from "./witnesses.js";
import { code, row } from "./markdown.js";
import floor from "./replay-floor.json" with { type: "json" };

export function fidelityPage(): string {
  const types = emulatedTypes.all.toSorted((a, b) => a.name.localeCompare(b.name));
  const byVersion = types.flatMap(({ name, versionDifferences: differs = [] }) =>
    differs.map((one) => row([code(name), code(one.member), ...versionCells(one)])),
  );
  return `# Fidelity

How the emulator answers, next to Azure. \`npm run docs\` writes this page from the declarations in \`src/emulator/arm\` and
from \`tools/fidelity-differences.ts\`. [emulator.md](emulator.md) says what each part does, and what it leaves out.

${shares()}

- *recording*: \`npm run replay\` sends the requests of recorded Azure traffic. It compares status, headers of
  operations, members and values of each answer. At least one answer of the operation agrees in everything.
- *client*: az, SDKs and other unmodified clients use the operation in \`npm run test:clients\`, and go on.
- *specification*: Azure's published description has the operation. The traffic of all tests is checked against it.
- *documentation*: Azure's documentation alone.

The replay leaves out what says nothing of Azure (\`tools/replay-noise.ts\`). At least ${String(floor.agreeing)} % of the other answers
must agree, at least ${String(floor.eachFamily)} % in each family, and at most ${plural(floor.notServed, "request")} may be
refused. An answer that depends on a refused request does not count. Recordings and descriptions are not in this
repository: where they are absent, these comparisons are skipped.

## Resource types

PATCH changes tags, and properties where Azure allows it. \`A to B (3)\` are the three api-versions that Azure released
from A to B. PUT and DELETE show the status of the first answer and the headers of the operation. \`after\` is the
\`Retry-After\` of the first answer in seconds, \`polls\` that of the polls. A type without verbs is answered by an
endpoint.

| type | verbs | api-versions | PUT | DELETE | witnesses |
| --- | --- | --- | --- | --- | --- |
${typeRows(types).map(row).join("\n")}

These parts of resources have paths of their own. A written part is a write of its resource.

| type | read | read and written | witnesses |
| --- | --- | --- | --- |
${partRows(types).map(row).join("\n")}

### What differs between api-versions

If a row has no default, other versions answer without the member. They refuse it in a body, unless they ignore it. If a
row has a default, every version has the member. The default is for a creation whose body omits it.

| type | member of \`properties\` | versions | default |
| --- | --- | --- | --- |
${byVersion.join("\n")}

## Other endpoints

| method | path | api-versions | witnesses |
| --- | --- | --- | --- |
${endpointRows().map(row).join("\n")}

## Deliberate differences

Rows without a difference name a choice between old recordings and documentation.

| where | Azure | here | reason |
| --- | --- | --- | --- |
${differences.map(({ where, azure, here, why }) => row([known(where), azure, here, why])).join("\n")}
`;
}

/** Types of one parent that do not differ, such as record sets, share a row. */
function typeRows(types: readonly ResourceType[]): string[][] {
  const rows = new Map<string, { parent: string; names: string[]; cells: string[] }>();
  for (const type of types) {
    const cut = type.name.lastIndexOf("/");
    const [parent, name] = [type.name.slice(0, cut), type.name.slice(cut + 1)];
    const cells = [verbsOf(type), rangeOf(type.apiVersions), putOf(type), deleteOf(type), witnessesOf(operationsOf(type))];
    const key = parent.includes("/") ? [parent, ...cells].join("\t") : type.name;
    const shared = rows.get(key);
    if (shared === undefined) rows.set(key, { parent, names: [name], cells });
    else shared.names.push(name);
  }
  return [...rows.values()].map(({ parent, names, cells }) => [code(`${parent}/${names.join(", ")}`), ...cells]);
}

function partRows(types: readonly ResourceType[]): string[][] {
  return types.flatMap(({ name, partLists: parts }) => {
    if (parts === undefined) return [];
    const named = (access: string): string =>
      Object.keys(parts)
        .flatMap((part) => (parts[part] === access ? [code(part)] : []))
        .join(", ");
    return [[code(name), named("read"), named("write"), witnessesOf(operationsOfParts({ name, partLists: parts }))]];
  });
}

/** The methods of one path share a row. */
function endpointRows(): string[][] {
  const rows = new Map<string, { methods: string[]; cells: string[] }>();
  for (const { method, path, versions } of armEndpoints) {
    const cells = [code(path), rangeOf(versions), witnessOf(`${method} ${path}`)];
    const key = cells.join("\t");
    const shared = rows.get(key);
    if (shared === undefined) rows.set(key, { methods: [method], cells });
    else shared.methods.push(method);
  }
  return [...rows.values()].map(({ methods, cells }) => [methods.join(", "), ...cells]);
}

/** "recording: GET, PUT; specification: HEAD". */
function witnessesOf(names: readonly string[]): string {
  return [...witnessKinds, "documentation" as const]
    .flatMap((kind) => {
      const methods = names.filter((name) => witnessOf(name) === kind).map((name) => name.slice(0, name.indexOf(" ")));
      return methods.length === 0 ? [] : [`${kind}: ${[...new Set(methods)].join(", ")}`];
    })
    .join("; ");
}

/** What others than ourselves attest, by the strongest witness. */
function shares(): string {
  const share = (kind: string): string => {
    const count = operations.filter((one) => witnessOf(one) === kind).length;
    return `${String(Math.floor((100 * count) / operations.length))} %`;
  };
  return `Of ${plural(operations.length, "operation")} of Resource Manager that the emulator answers, recordings of Azure attest
${share("recording")}, unmodified clients ${share("client")} more, and Azure's published descriptions another ${share("specification")}.
Each row names its strongest witness:`;
}

const verbNames = { read: "GET, HEAD, list", write: "PUT", tags: "PATCH", delete: "DELETE" } as const;

function verbsOf({ verbs }: ResourceType): string {
  return verbs.map((verb) => verbNames[verb]).join(", ");
}

/** "2018-01-01 to 2025-05-01 (61); 2022-01-31-preview". */
function rangeOf(versions: readonly string[]): string {
  const isPreview = (version: string): boolean => version.endsWith("-preview");
  const stable = versions.filter((version) => !isPreview(version)).toSorted();
  const [first = "", last = first] = [stable[0], stable.at(-1)];
  const range = stable.length > 2 ? `${first} to ${last} (${String(stable.length)})` : stable.join(", ");
  return [range, ...versions.filter(isPreview)].filter((part) => part !== "").join("; ");
}

function versionCells({ since, before, ignored, default: value }: VersionDifference): string[] {
  const range = [...(since === undefined ? [] : [`since ${since}`]), ...(before === undefined ? [] : [`before ${before}`])];
  return [`${range.join(", ")}${ignored ? "; ignored in others" : ""}`, value === undefined ? "" : code(String(value))];
}

function putOf({ verbs, put, createdStatus }: ResourceType): string {
  if (!verbs.includes("write")) return "";
  const created = String(createdStatus ?? 201);
  if (put === undefined) return created;
  return `${put.answers === "accepted" ? "202" : created} ${operationOf(put)}`.trim();
}

function deleteOf({ verbs, delete: run, deletedStatus }: ResourceType): string {
  if (!verbs.includes("delete")) return "";
  return run === undefined ? String(deletedStatus ?? 200) : `202 ${operationOf(run)}`;
}

const headerNames = { "azure-asyncoperation": "`Azure-AsyncOperation`", location: "`Location`" } as const;

function operationOf({ headers, retryAfter, pollRetryAfter, at }: LongRunning): string {
  if (headers.length === 0) return "";
  const polls = pollRetryAfter.length === 0 ? [] : [`polls ${[...new Set(pollRetryAfter)].join(", ")}`];
  const running = at.runningStatus === 200 ? [] : ["202 while it runs"];
  return [
    ...headers.map((name) => headerNames[name]),
    ...(retryAfter === undefined ? [] : [`after ${String(retryAfter)}`]),
    ...polls,
    ...running,
  ].join("; ");
}

/** A misspelled type would go unnoticed. */
function known(where: string): string {
  if (!where.startsWith("Microsoft.")) return where;
  if (emulatedTypes.named(where) === undefined) throw new Error(`no such type: ${where}`);
  return code(where);
}

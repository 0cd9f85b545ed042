/** Rows that find an identity file of another set than the cluster uses, before each of its entries is reported. */
import { assignedIdentities, fileOfOtherSet, managedOrigin, planeTitle, sameSet, setTitle } from "../../azure/assigned-identities.js";
import { assignedComponents, type Plane } from "../../domain/components.js";
import type { SetPlace } from "../../domain/unique-suffix.js";
import { namedApplication } from "../../domain/identity-names.js";
import type { InfraInput } from "../../files/infra-output.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, notCheckedFor, passed, type Finding } from "../../verify/check.js";
import { endingsOf, type Ended } from "../../verify/check-instance.js";
import { fromFailure } from "../../verify/from-plan.js";
import { everyOf } from "../../verify/row.js";
import { controlPlaneEntry, controlPlaneShape, dataPlaneEntry, dataPlaneShape } from "./file.js";
import { isCombined } from "./file-documents.js";
import { row, type IdentityReads } from "./reads.js";
import { namesOn, scopesIn } from "./scopes.js";

type Entries = readonly Ended<{ readonly clientId: string }>[];

export function clientIdsIn(entries: Entries): string[] {
  return entries.flatMap(({ output }) => (output ? [output.value.clientId] : []));
}

export const controlPlaneSet = row("file-set", { part: controlPlaneShape, entries: everyOf(controlPlaneEntry) }, ({ entries }, reads) =>
  unlessUnreadable(async () => ofCluster("control", await controlPlaneOwners(reads, entries), reads)),
);

export const dataPlaneSet = row(
  "file-set",
  {
    part: dataPlaneShape,
    entries: everyOf(dataPlaneEntry),
    controlEntries: everyOf(controlPlaneEntry),
    control: endingsOf(controlPlaneSet),
  },
  ({ entries, controlEntries, control: [control] }, reads) =>
    unlessUnreadable(async () => {
      const { dataPlaneIdentities, managedIdentities, infra } = reads.chain;
      const isSameFile = dataPlaneIdentities === undefined && isCombined(managedIdentities);
      if (isSameFile && control?.result.state === "failed") return notCheckedFor(control.result);
      const owners = await dataPlaneOwners(reads, entries);
      if (infra !== undefined || isSameFile) return ofCluster("data", owners, reads);
      const [set, other] = [onlySet(owners), onlySet(await controlPlaneOwners(reads, controlEntries))];
      if (set === undefined || other === undefined || sameSet(set, other)) return passed(pathOf("data", reads));
      return failed(
        `${planeTitle("data", pathOf("data", reads))} are of ${setTitle(set)}, but ${planeTitle("control", pathOf("control", reads))} are of ${setTitle(other)}`,
        "pass two files of the set that the cluster uses; with its --infra-file, verify finds which one that is",
      );
    }),
);

/** The identity of an entry. */
interface Owner {
  readonly objectId: string;
  /** The set that created it. */
  readonly set: SetPlace | undefined;
}

async function controlPlaneOwners({ principals, application }: IdentityReads, entries: Entries): Promise<Owner[]> {
  const every = clientIdsIn(entries);
  const owners = every.map(async (clientId) => {
    const [registered, found] = await Promise.all([application(clientId, every), principals(clientId, every)]);
    return found.map(({ id }) => ({ objectId: id, set: namedApplication(registered?.uniqueName ?? "")?.set }));
  });
  return (await Promise.all(owners)).flat();
}

async function dataPlaneOwners({ identities }: IdentityReads, entries: Entries): Promise<Owner[]> {
  const own = clientIdsIn(entries);
  const live = (await identities()).filter((one) => own.some((clientId) => sameText(clientId, one.clientId)));
  return live.map((one) => ({ objectId: one.principalId ?? "", set: managedOrigin(one)?.set }));
}

/** Undefined if they are of several sets, or some are of none. */
function onlySet(owners: readonly { readonly set: SetPlace | undefined }[]): SetPlace | undefined {
  const first = owners[0]?.set;
  return first !== undefined && owners.every(({ set }) => set !== undefined && sameSet(set, first)) ? first : undefined;
}

async function ofCluster(plane: Plane, owners: readonly Owner[], reads: IdentityReads): Promise<Finding<undefined>> {
  const { infra } = reads.chain;
  const path = pathOf(plane, reads);
  const set = onlySet(owners);
  const held = infra === undefined || set === undefined ? [] : await principalsWithRoles(plane, infra, reads);
  if (set === undefined || held.length === 0 || owners.some(({ objectId }) => held.some((id) => sameText(id, objectId))))
    return passed(path);
  const assigned = [...(await assignedIdentities(reads.azure, held)).values()];
  const used = onlySet(assigned.map(({ origin }) => ({ set: origin?.set })));
  if (used === undefined || sameSet(used, set)) return passed(path);
  return fromFailure(fileOfOtherSet({ plane, file: path, set, infraId: infra?.infraID ?? "", used }));
}

/** Object IDs of the principals with the roles of the plane's components. */
async function principalsWithRoles(plane: Plane, infra: InfraInput, reads: IdentityReads): Promise<string[]> {
  const scopes = scopesIn(infra, reads.azure.connection.subscriptionId);
  const lists = assignedComponents
    .filter((component) => component.plane === plane)
    .flatMap((component) =>
      component.assigned.scopes.flatMap((key) => (scopes[key] === undefined ? [] : [{ component, scope: scopes[key] }])),
    )
    .map(async ({ component, scope }) => {
      const names = await namesOn(reads, scope, infra.infraID, component);
      const live = (await reads.assignments.on(scope)).filter(({ name = "" }) => names.includes(name.toLowerCase()));
      return live.map(({ principalId = "" }) => principalId);
    });
  return [...new Set((await Promise.all(lists)).flat())];
}

function pathOf(plane: Plane, { chain: { managedIdentities, dataPlaneIdentities } }: IdentityReads): string {
  return (plane === "control" ? managedIdentities : (dataPlaneIdentities ?? managedIdentities))?.path ?? "";
}

/** Checks of the roles and of the directory report why they cannot be read. */
async function unlessUnreadable(read: () => Promise<Finding<undefined>>): Promise<Finding<undefined>> {
  try {
    return await read();
  } catch {
    return notChecked("the roles of the cluster or their identities cannot be read");
  }
}

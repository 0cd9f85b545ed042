/** Removes what is left over: each is read again, written to the journal, and deleted, in this order. */
import { openAzure, type Azure } from "../../azure/azure.js";
import { anyResponse } from "../../azure/arm-responses.js";
import { signedIn } from "../../azure/signed-in.js";
import { listContents, readGroup } from "../../azure/group-contents.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { certificateName, namedApplication, type NamedApplication } from "../../domain/identity-names.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import type { StepIo } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { apiVersionLookup, groupRemoval, resourceRemoval } from "../../removal/azure-removals.js";
import { blockedRemoval } from "../../removal/blocked.js";
import { removalOf, type OwnedRemoval } from "../../removal/owned.js";
import { usedElsewhere } from "../../removal/users-elsewhere.js";
import { purgedNamedVault } from "../../removal/vault-removals.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate, SweptKind } from "../domain/candidate.js";
import { originsOf } from "../candidates/orphaned-assignments.js";
import type { Principals } from "../reading/principals.js";
import type { Journal } from "../files/journal.js";

interface Sweep {
  readonly azure: Azure;
  readonly principals: Principals;
  /** The IDs of all that the caller can see. */
  readonly subscriptions: readonly string[];
  /** Opened before the first deletion. */
  readonly journal: () => Journal;
}

export function sweptRemoval(sweep: Sweep, candidate: SweptCandidate): OwnedRemoval {
  const { id, title, kind, unused } = candidate;
  const removal = removalOf(id, title, (io) => removers[kind](sweep, candidate, io));
  const isListed = kind === "role-assignments" || kind === "resource-groups";
  return { ...removal, ...(unused !== undefined && { why: unused }), ...(isListed && { resourceId: id }) };
}

type SweptCandidate = Candidate & { readonly kind: SweptKind };

type Remove = (sweep: Sweep, candidate: Candidate, io: StepIo) => Promise<void>;

const removers: Readonly<Record<SweptKind, Remove>> = {
  "role-assignments": removeAssignment,
  "resource-groups": removeGroup,
  "dns-zones": removeZone,
  applications: removeApplication,
  "deleted-applications": purgeApplication,
  "deleted-vaults": purgeVault,
};

function write({ azure, journal }: Sweep, candidate: Candidate, body: object): void {
  journal().write(candidate, body, azure.connection.clock.now());
}

function changed({ title }: Candidate, why: string): Failure {
  return new Failure("ARO-RUN-007", `${title} was kept: ${why}`);
}

async function removeAssignment(sweep: Sweep, candidate: Candidate): Promise<void> {
  const { assignment } = candidate;
  if (assignment === undefined) throw new Failure("ARO-BUG-001", `${candidate.id} is no role assignment`);
  const { scope, name, principalId } = assignment;
  const { azure, principals } = sweep;
  const { roleAssignments } = await azure.authorization(parseResourceId(scope).subscriptionId);
  const live = await found(roleAssignments.get(scope, name));
  if (live === undefined) return;
  const isSame =
    sameText(live.principalId, principalId) &&
    sameText(live.roleDefinitionId, assignment.roleDefinitionId) &&
    sameId(live.scope ?? "", scope);
  if (!isSame || (await originsOf([assignment], candidate.owner === undefined ? [] : [candidate.owner])).length === 0) {
    throw changed(candidate, "it is another one now");
  }
  if (!(await principals.isStillGone(principalId))) throw changed(candidate, "its principal exists");
  write(sweep, candidate, live);
  await found(roleAssignments.delete(scope, name));
}

/** Clients of the subscription of the candidate. */
function inSubscription({ connection }: Azure, { subscriptionId = "" }: Pick<Candidate, "subscriptionId">): Azure {
  return openAzure({ ...connection, subscriptionId });
}

async function removeGroup(sweep: Sweep, candidate: Candidate, io: StepIo): Promise<void> {
  const { id, contents = [] } = candidate;
  const azure = inSubscription(sweep.azure, candidate);
  const { name } = parseResourceId(id);
  const live = await readGroup(azure, name);
  if (live === undefined) return;
  const ids = [id, ...contents];
  const refused = (await blockedRemoval(azure, ids, io.note)) ?? (await usedElsewhere(azure, { ids, byAzure: [] }));
  if (refused) throw refused;
  if (live.managedBy) await requireGone(azure, live.managedBy, candidate);
  const listed = await listContents(azure, name);
  write(sweep, candidate, { ...live, contents: listed });
  const foundContents = contents.map((one) => ({ id: one, ...parseResourceId(one), group: name, origin: "ours" as const }));
  await groupRemoval(azure, {
    id,
    name,
    ours: true,
    deleting: live.properties?.provisioningState === "Deleting",
    contents: foundContents,
  }).remove(io);
}

/** @throws Failure if the cluster of a node group exists */
async function requireGone(azure: Azure, clusterId: string, candidate: Candidate): Promise<void> {
  const manager = await azure.manager();
  const live = await found(manager.get(clusterId, "2025-05-01", anyResponse));
  if (live !== undefined) throw changed(candidate, `AKS cluster ${parseResourceId(clusterId).name} exists`);
}

async function removeZone(sweep: Sweep, candidate: Candidate, io: StepIo): Promise<void> {
  const azure = inSubscription(sweep.azure, candidate);
  const { type, name, resourceGroup = "" } = parseResourceId(candidate.id);
  const { privateZones, virtualNetworkLinks } = await azure.privateDns();
  const live = await found(privateZones.get(resourceGroup, name));
  if (live === undefined) return;
  const [link] = (await found(all(virtualNetworkLinks.list(resourceGroup, name)))) ?? [];
  if (link !== undefined) throw changed(candidate, `network link ${link.name ?? ""} uses it`);
  const refused = await blockedRemoval(azure, [candidate.id], io.note);
  if (refused) throw refused;
  const recordSets = await (await azure.manager()).list(`${candidate.id}/ALL`, "2024-06-01", anyResponse);
  // Azure makes the first one; an undo does not bring back the others.
  if (recordSets.length > 1) throw changed(candidate, "it has records");
  write(sweep, candidate, { ...live, recordSets });
  await resourceRemoval(azure, { id: candidate.id, type, name, group: resourceGroup, origin: "ours" }, apiVersionLookup(azure)).remove(io);
}

async function removeApplication(sweep: Sweep, candidate: Candidate): Promise<void> {
  const directory = await sweep.azure.directory();
  const [live] = await directory.applicationsOf([candidate.appId ?? ""]);
  if (live === undefined) return;
  if (live.id !== candidate.id) throw changed(candidate, "it is another one now");
  const { set, component } = await requireSetGone(sweep.azure, live.uniqueName, candidate);
  const group = await readGroup(inSubscription(sweep.azure, set), set.groupName);
  if (group !== undefined) throw changed(candidate, `resource group ${set.groupName} of its set is there`);
  await requireNoRoles(sweep, live.appId, candidate);
  const now = sweep.azure.connection.clock.now();
  const foreign = live.keyCredentials.filter(({ displayName, endDateTime }) => {
    return new Date(endDateTime) > now && displayName !== `CN=${certificateName(set, { key: component })}`;
  });
  if (foreign.length > 0) throw changed(candidate, "it has a certificate that aro-hcp did not add");
  const { owners, passwords, federated, ofPrincipal } = await directory.controlOf(live);
  const { objectId } = await signedIn(sweep.azure.connection);
  const others = owners.filter(({ id }) => !sameText(id, objectId));
  if (others.length > 0) throw changed(candidate, `${others.map(({ displayName, id }) => displayName ?? id).join(", ")} owns it`);
  if (passwords.length + federated.length + ofPrincipal.length > 0) throw changed(candidate, "it has credentials that aro-hcp did not add");
  write(sweep, candidate, live);
  await directory.deleteApplication(live.id);
}

async function purgeApplication(sweep: Sweep, candidate: Candidate): Promise<void> {
  const directory = await sweep.azure.directory();
  const live = (await directory.deletedApplications()).find(({ id }) => sameText(id, candidate.id));
  if (live === undefined) return;
  await requireSetGone(sweep.azure, live.uniqueName, candidate);
  write(sweep, candidate, live);
  await directory.purgeApplication(live.id);
}

/** @throws Failure if anything is in the resource group of the set, or its name is no set's any more */
async function requireSetGone(azure: Azure, uniqueName: string | null, candidate: Candidate): Promise<NamedApplication> {
  const named = namedApplication(uniqueName ?? "");
  if (named === undefined) throw changed(candidate, "its unique name is another one now");
  const { set } = named;
  const contents = await listContents(inSubscription(azure, set), set.groupName);
  if (contents.length > 0) throw changed(candidate, `resource group ${set.groupName} of its set has something in it`);
  return named;
}

/** On any scope, also on management groups. @throws Failure if its service principal has a role */
async function requireNoRoles({ azure, subscriptions }: Sweep, appId: string, candidate: Candidate): Promise<void> {
  const principalId = await (await azure.directory()).servicePrincipalOf(appId);
  if (principalId === undefined) return;
  for (const subscriptionId of subscriptions) {
    const { roleAssignments } = await azure.authorization(subscriptionId);
    const [role] = await all(roleAssignments.listForSubscription({ filter: `principalId eq '${principalId}'` }));
    if (role !== undefined) throw changed(candidate, `it has a role on ${role.scope ?? subscriptionId}`);
  }
}

async function purgeVault(sweep: Sweep, candidate: Candidate, io: StepIo): Promise<void> {
  const azure = inSubscription(sweep.azure, candidate);
  const { vaults } = await azure.vaults();
  const live = (await all(vaults.listDeleted())).find(({ id = "" }) => sameId(id, candidate.id));
  if (live?.name === undefined || live.properties?.location === undefined) return;
  if (live.properties.deletionDate?.getTime() !== candidate.changedAt?.getTime())
    throw changed(candidate, "it was recovered and deleted again");
  write(sweep, candidate, live);
  await purgedNamedVault(azure, live.name, live.properties.location).remove(io);
}

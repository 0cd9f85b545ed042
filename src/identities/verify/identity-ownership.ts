/** Rows that find mixed-up components, by the names and tags that only `create identities` sets. */
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import {
  controlPlaneComponents,
  dataPlaneComponents,
  type ControlPlaneComponent,
  type DataPlaneComponent,
} from "../../domain/components.js";
import {
  applicationUniqueName,
  credentialSecretName,
  managedIdentityName,
  namedApplication,
  type NamedApplication,
} from "../../domain/identity-names.js";
import { identitySetTag } from "../../domain/ownership.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { unlessFailed, type Ended } from "../../verify/check-instance.js";
import { everyOf } from "../../verify/row.js";
import type { SetAdvice, Correction, KnownSet } from "./advice.js";
import type { ControlPlaneEntry, DataPlaneEntry } from "./chain.js";
import { controlPlaneEntry, dataPlaneEntry } from "./file.js";
import { clientIdsIn, controlPlaneSet, dataPlaneSet } from "./file-set.js";
import { controlPlaneRow, dataPlaneRow } from "./reads.js";
import { sameText } from "../../text/same-text.js";
import { tagValue } from "../../domain/tags.js";

/** A wrong value in a file: its place, its owner, and the correct value. */
interface Mistake extends Correction {
  readonly is: string;
}

/** The entry, if it is the component's own. */
export const ownEntry = controlPlaneRow(
  "file-component",
  { set: unlessFailed(controlPlaneSet), entry: controlPlaneEntry, entries: everyOf(controlPlaneEntry) },
  async ({ entry, entries }, { azure, advice: adviceOf, application, principals }, component) => {
    const { clientId, secretName } = entry;
    const every = clientIdsIn(entries);
    const directory = orRefused(Promise.all([application(clientId, every), principals(clientId, every)]));
    const [advice, known] = await Promise.all([adviceOf(), directory]);
    const [registered, found = []] = known ?? [];
    const named = registered?.uniqueName ? namedApplication(registered.uniqueName) : undefined;
    const unowned = known !== undefined && registered === undefined && found.length === 0;
    const set = advice.set ?? named?.set;
    const suspect = unowned || (named !== undefined && !isOwn(named, component, advice.set));
    const right = suspect ? await rightClientId(azure, set, component) : undefined;
    const mistakes = [
      ...clientMistakes(entry, component, { named, unowned, set: advice.set, right }),
      ...secretMistakes(entry, component, set),
    ];
    const evidence = `client ID ${clientId}, secret ${secretName}${named ? ` of set ${named.set.name}` : ""}`;
    return ownershipFinding(mistakes, advice, twinOf(component.key, right, entries), passed(evidence, entry));
  },
);

/** The client ID, if it is the component's own. */
export const ownIdentity = dataPlaneRow(
  "file-component",
  { set: unlessFailed(controlPlaneSet, dataPlaneSet), entry: dataPlaneEntry, entries: everyOf(dataPlaneEntry) },
  async ({ entry, entries }, { advice: adviceOf, identities }, component) => {
    const [advice, listed] = await Promise.all([adviceOf(), orRefused(identities())]);
    const { mistakes, right } = identityMistakes(entry, component, advice.set, listed ?? []);
    return ownershipFinding(mistakes, advice, twinOf(component.key, right, entries), passed(`client ID ${entry.clientId}`, entry));
  },
);

async function rightClientId(
  azure: Azure,
  set: NamedApplication["set"] | undefined,
  component: ControlPlaneComponent,
): Promise<string | undefined> {
  if (set === undefined) return undefined;
  return (await (await azure.directory()).application(applicationUniqueName(set, component)))?.appId;
}

interface Known {
  /** The parsed unique name of the application with the client ID. */
  readonly named: NamedApplication | undefined;
  /** No application or service principal has the client ID. */
  readonly unowned: boolean;
  /** The set that owns the vault. */
  readonly set: KnownSet | undefined;
  /** Client ID of the component's application. */
  readonly right: string | undefined;
}

function isOwn(named: NamedApplication, { key }: ControlPlaneComponent, set: KnownSet | undefined): boolean {
  return named.component === key && !isElsewhere(named, set);
}

/** Whether it belongs to another set than the vault. */
function isElsewhere({ set: of, component: key }: NamedApplication, set: KnownSet | undefined): boolean {
  return set !== undefined && applicationUniqueName(set, { key }) !== applicationUniqueName(of, { key });
}

function clientMistakes(
  { clientId, places }: ControlPlaneEntry,
  component: ControlPlaneComponent,
  { named, unowned, set, right }: Known,
): Mistake[] {
  const mistake = (is: string) => [{ key: "clientID", place: places.clientID, is: `clientID ${clientId} ${is}`, right }];
  // Check principal-exists reports a deleted identity, because it may be restored with the same ID.
  if (unowned) return right === undefined ? [] : mistake("does not exist");
  if (named === undefined || isOwn(named, component, set)) return [];
  return mistake(
    `belongs to ${named.component}${isElsewhere(named, set) ? ` of set ${named.set.name} in resource group ${named.set.groupName}` : ""}`,
  );
}

function secretMistakes(
  { secretName, places }: ControlPlaneEntry,
  component: ControlPlaneComponent,
  set: { readonly name: string } | undefined,
): Mistake[] {
  if (set === undefined) return [];
  const owner = controlPlaneComponents.find((other) => sameText(credentialSecretName(set, other), secretName));
  if (owner === undefined || owner.key === component.key) return [];
  return [
    {
      key: "credentialsSecretName",
      place: places.credentialsSecretName,
      is: `secret ${secretName} belongs to ${owner.key}`,
      right: credentialSecretName(set, component),
    },
  ];
}

function identityMistakes(
  { clientId, place }: DataPlaneEntry,
  component: DataPlaneComponent,
  vaultSet: KnownSet | undefined,
  listed: readonly Identity[],
): { readonly mistakes: readonly Mistake[]; readonly right: string | undefined } {
  const live = listed.find((one) => sameText(one.clientId, clientId));
  const tagged = tagValue(live?.tags, identitySetTag);
  const set = vaultSet?.name ?? tagged;
  const isOf = (one: Identity, owner: string | undefined, other: DataPlaneComponent) =>
    owner !== undefined && tagValue(one.tags, identitySetTag) === owner && sameText(one.name, managedIdentityName({ name: owner }, other));
  const right = listed.find((one) => isOf(one, set, component))?.clientId;
  const mistake = (is: string) => ({
    mistakes: [{ key: component.field, place, is: `${component.field} ${clientId} ${is}`, right }],
    right,
  });
  if (live === undefined) return right === undefined ? { mistakes: [], right } : mistake("is not the client ID of a managed identity");
  const owner = dataPlaneComponents.find((other) => isOf(live, tagged, other));
  const elsewhere = set !== undefined && tagged !== undefined && tagged !== set;
  if (owner === undefined || (owner.key === component.key && !elsewhere)) return { mistakes: [], right };
  return mistake(`belongs to ${owner.key}${elsewhere ? ` of set ${tagged}` : ""} (${live.name ?? ""})`);
}

/** The component whose entry has the client ID that this component should have. */
function twinOf(key: string, right: string | undefined, entries: readonly Ended<{ readonly clientId: string }>[]): string | undefined {
  return entries.find(({ result, output }) => result.subject !== key && sameText(output?.value.clientId, right))?.result.subject;
}

/** `own`: the finding without mistakes. */
function ownershipFinding<Value>(
  mistakes: readonly Mistake[],
  { correct }: SetAdvice,
  twin: string | undefined,
  own: Finding<Value>,
): Finding<Value> {
  if (mistakes.length === 0) return own;
  const words = mistakes.map(({ place, is, right }) => `${place}: ${is}${right === undefined ? "" : `, the correct value is ${right}`}`);
  return failed(`${words.join("; ")}${twin === undefined ? "" : `; ${twin} has that value, so the two may be swapped`}`, correct(mistakes));
}

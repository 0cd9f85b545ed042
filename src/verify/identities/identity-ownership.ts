/** Whose a client id or a secret of the files is, as names and tags that only `create identities` gives tell: a file that mixes components up is what is wrong, not what it names. */
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
import { broken, holds, type Finding } from "../check.js";
import { checkInstance, type ResultsOf, type CheckInstance } from "../check-instance.js";
import type { SetAdvice, Correction, KnownSet } from "./advice.js";
import type { ControlPlaneEntry, ControlPlaneLink, DataPlaneEntry, DataPlaneLink } from "./chain.js";
import { identityChecks } from "./checks.js";
import type { FileLinks } from "./file.js";
import type { VaultLinks } from "./vault.js";
import { findInDirectory, type DirectoryLookup } from "./directory-lookup.js";

export interface OwnershipLinks {
  readonly instances: readonly CheckInstance[];
  readonly controlPlane: readonly ControlPlaneLink[];
  readonly dataPlane: readonly DataPlaneLink[];
}

/** All managed identities that we may see; listed once. */
export type ListIdentities = () => Promise<readonly Identity[]>;

/** What a file says wrongly: where it is, whose it is, and what it should be. */
interface Mistake extends Correction {
  readonly is: string;
}

export function ownershipCheckInstances(
  azure: Azure,
  vaults: VaultLinks,
  files: FileLinks,
  who: DirectoryLookup,
  identities: ListIdentities,
): OwnershipLinks {
  const entries = Object.fromEntries(files.controlPlane.map(({ component, entry }) => [component.key, entry]));
  const controlPlane = files.controlPlane.map(({ component, entry }) => ({
    component,
    entry: checkInstance(
      identityChecks["file-component"],
      component.key,
      { entry },
      async ({ entry: said }, results) => {
        const [advice, known] = await Promise.all([vaults.advice(), findInDirectory(who, said.clientId, clientIdsIn(results))]);
        const application = known?.application?.uniqueName;
        const named = application ? namedApplication(application) : undefined;
        const unowned = known !== undefined && known.application === undefined && known.principals.length === 0;
        const set = advice.set ?? named?.set;
        const suspect = unowned || (named !== undefined && !isOwn(named, component, advice.set));
        const right = suspect ? await rightClientId(azure, set, component) : undefined;
        const mistakes = [
          ...clientMistakes(said, component, { named, unowned, set: advice.set, right }),
          ...secretMistakes(said, component, set),
        ];
        const twin = mistakes.length === 0 ? undefined : twinOf(component, right, results);
        return judged(
          mistakes,
          advice,
          twin,
          said,
          `client ${said.clientId}, secret ${said.secretName}${named ? ` of set ${named.set.name}` : ""}`,
        );
      },
      entries,
    ),
  }));
  const clientIds = Object.fromEntries(files.dataPlane.map(({ component, clientId }) => [component.key, clientId]));
  const dataPlane = files.dataPlane.map(({ component, clientId }) => ({
    component,
    clientId: checkInstance(
      identityChecks["file-component"],
      component.key,
      { clientId },
      async ({ clientId: said }, results) => {
        const [advice, listed] = await Promise.all([vaults.advice(), orRefused(identities())]);
        const { mistakes, right } = identityMistakes(said, component, advice.set, listed ?? []);
        const twin = Object.entries(results).find(
          ([other, { handedOn }]) => other !== component.key && sameText(handedOn?.value.clientId, right),
        )?.[0];
        return judged(mistakes, advice, mistakes.length === 0 ? undefined : twin, said, `client ${said.clientId}`);
      },
      clientIds,
    ),
  }));
  return {
    instances: [...controlPlane.map(({ entry }) => entry), ...dataPlane.map(({ clientId }) => clientId)],
    controlPlane,
    dataPlane,
  };
}

type Results = Readonly<Record<string, ResultsOf<ControlPlaneEntry>>>;

export function clientIdsIn(results: Readonly<Record<string, ResultsOf<{ readonly clientId: string }>>>): string[] {
  return Object.values(results).flatMap(({ handedOn }) => (handedOn ? [handedOn.value.clientId] : []));
}

async function rightClientId(
  azure: Azure,
  set: NamedApplication["set"] | undefined,
  component: ControlPlaneComponent,
): Promise<string | undefined> {
  if (set === undefined) return undefined;
  return (await (await azure.directory()).application(applicationUniqueName(set, component)))?.appId;
}

interface Known {
  /** What the unique name of the application says that has the client id. */
  readonly named: NamedApplication | undefined;
  /** Nobody has the client id. */
  readonly unowned: boolean;
  /** Whose the vault is. */
  readonly set: KnownSet | undefined;
  /** Client id of the component's application. */
  readonly right: string | undefined;
}

function isOwn(named: NamedApplication, { key }: ControlPlaneComponent, set: KnownSet | undefined): boolean {
  return named.component === key && !isElsewhere(named, set);
}

/** Of another set than the vault. */
function isElsewhere({ set: of, component: key }: NamedApplication, set: KnownSet | undefined): boolean {
  return set !== undefined && applicationUniqueName(set, { key }) !== applicationUniqueName(of, { key });
}

function clientMistakes(
  { clientId, places }: ControlPlaneEntry,
  component: ControlPlaneComponent,
  { named, unowned, set, right }: Known,
): Mistake[] {
  const mistake = (is: string) => [{ key: "clientID", place: places.clientID, is: `clientID ${clientId} is ${is}`, right }];
  // One that is gone is told of where its principal is missed: it may come back under the same id.
  if (unowned) return right === undefined ? [] : mistake("nobody's");
  if (named === undefined || isOwn(named, component, set)) return [];
  return mistake(`that of ${named.component}${isElsewhere(named, set) ? ` of set ${named.set.name} in group ${named.set.groupName}` : ""}`);
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
      is: `secret ${secretName} is that of ${owner.key}`,
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
  const tagged = live?.tags?.[identitySetTag];
  const set = vaultSet?.name ?? tagged;
  const isOf = (one: Identity, owner: string | undefined, other: DataPlaneComponent) =>
    owner !== undefined && one.tags?.[identitySetTag] === owner && sameText(one.name, managedIdentityName({ name: owner }, other));
  const right = listed.find((one) => isOf(one, set, component))?.clientId;
  const mistake = (is: string) => ({
    mistakes: [{ key: component.field, place, is: `${component.field} ${clientId} is ${is}`, right }],
    right,
  });
  if (live === undefined) return right === undefined ? { mistakes: [], right } : mistake("no managed identity's");
  const owner = dataPlaneComponents.find((other) => isOf(live, tagged, other));
  const elsewhere = set !== undefined && tagged !== undefined && tagged !== set;
  if (owner === undefined || (owner.key === component.key && !elsewhere)) return { mistakes: [], right };
  return mistake(`that of ${owner.key}${elsewhere ? ` of set ${tagged}` : ""} (${live.name ?? ""})`);
}

/** The component whose entry has what this one's should have. */
function twinOf({ key }: ControlPlaneComponent, right: string | undefined, results: Results): string | undefined {
  return Object.entries(results).find(([other, { handedOn }]) => other !== key && sameText(handedOn?.value.clientId, right))?.[0];
}

function judged<Said>(
  mistakes: readonly Mistake[],
  { correct }: SetAdvice,
  twin: string | undefined,
  said: Said,
  evidence: string,
): Finding<Said> {
  if (mistakes.length === 0) return holds(evidence, said);
  const words = mistakes.map(({ place, is, right }) => `${place}: ${is}${right === undefined ? "" : `, its own is ${right}`}`);
  return broken(`${words.join("; ")}${twin === undefined ? "" : `; ${twin} has that: are the two swapped?`}`, correct(mistakes));
}

function sameText(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

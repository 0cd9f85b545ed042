/** The applications of an identity set, by their unique names, and why a destroy keeps one: anybody may have registered it. */
import { evidenceIn } from "../azure/vault-evidence.js";
import { foreignParts, unlessGone, unprovenReason, type EarlierFiles, type Unproven } from "../azure/application-ownership.js";
import type { Application } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import type { SignedIn } from "../azure/signed-in.js";
import { controlPlaneComponents, type ComponentKey, type ControlPlaneComponent } from "../domain/components.js";
import { applicationDisplayName, applicationUniqueName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { sameText } from "../text/same-text.js";
import { findDeletedApplications, type DeletedProof, type FoundApplication, type FoundDeleted } from "./applications.js";

export interface SetApplication extends FoundApplication {
  readonly component: ComponentKey;
  /** Why it is kept; undefined if it is the set's. */
  readonly unproven?: Unproven | undefined;
}

/** What a create takes as proof too. */
interface SetProof {
  readonly caller: SignedIn;
  readonly files: EarlierFiles | undefined;
  /** The names of the vaults of the set. */
  readonly vaults: readonly string[];
}

interface NamedApplication extends SetApplication {
  /** Decides whether it is the set's; undefined if another run has deleted it meanwhile. */
  prove(proof: SetProof): Promise<SetApplication | undefined>;
}

/** The applications with the unique names of the set, whoever registered them. */
export async function namedApplications(azure: Azure, key: IdentitySetKey): Promise<NamedApplication[]> {
  const directory = await azure.directory();
  const read = await Promise.all(
    controlPlaneComponents.map(async (component) => {
      const live = await directory.application(applicationUniqueName(key, component));
      return live ? [{ live, component }] : [];
    }),
  );
  const all = read.flat();
  const principals = all.length === 0 ? [] : await directory.servicePrincipals(all.map(({ live }) => live.appId));
  return all.map(({ live, component }) => {
    const application = {
      component: component.key,
      id: live.id,
      displayName: applicationDisplayName(key, component),
      principalId: principals.find(({ appId }) => sameText(appId, live.appId))?.id,
    };
    const prove = (proof: SetProof) =>
      unlessGone(azure, applicationUniqueName(key, component), async () => ({
        ...application,
        unproven: await unprovenIn(azure, key, { live, component }, proof),
      }));
    return { ...application, prove };
  });
}

/** The soft-deleted ones. `vaults`: the names of the vaults of the set. */
export function deletedApplicationsOf(
  azure: Azure,
  key: IdentitySetKey,
  { files, before, vaults }: Omit<DeletedProof, "vaultOf"> & Pick<SetProof, "vaults">,
): Promise<FoundDeleted[]> {
  const components = new Map(controlPlaneComponents.map((component) => [applicationUniqueName(key, component), component]));
  const vaultOf = (uniqueName: string) => {
    const component = components.get(uniqueName);
    return component && evidenceIn(azure, key, vaults, component);
  };
  return findDeletedApplications(azure, [...components.keys()], { files, before, vaultOf });
}

async function unprovenIn(
  azure: Azure,
  key: IdentitySetKey,
  { live, component }: { readonly live: Application; readonly component: ControlPlaneComponent },
  { caller, files, vaults }: SetProof,
): Promise<Unproven | undefined> {
  const proof = { caller, files, ...(vaults.length > 0 && { vault: evidenceIn(azure, key, vaults, component) }) };
  const foreign = await foreignParts(azure, live, proof);
  return foreign && unprovenReason(live.appId, foreign, proof);
}

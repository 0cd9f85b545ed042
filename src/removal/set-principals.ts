/** The principals of an identity set: its applications and managed identities, without anything else of it. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownIdentity } from "../domain/set-ownership.js";
import { resourceTypes, type ResourceType } from "../domain/resource-types.js";
import { sameType, parseResourceId } from "../domain/resource-id.js";
import { groupReads, type GroupReads } from "./emptied-group.js";
import { namedApplications } from "./set-applications.js";
import type { ComponentKey } from "../domain/components.js";

export interface FoundManagedIdentity {
  readonly component: ComponentKey;
  readonly id: string;
  readonly name: string;
  readonly principalId: string;
}

/** The object IDs of the principals of the set, without anything else of it. */
export async function principalsOfSet(azure: Azure, key: IdentitySetKey): Promise<string[]> {
  const [applications, identities] = await Promise.all([
    namedApplications(azure, key),
    groupReads(azure)
      .contents(key.groupName)
      .then((listed) => withPrincipals(azure, ownIdentitiesIn(key, listed))),
  ]);
  return [...applications, ...identities].flatMap(({ principalId }) => principalId ?? []);
}

type Contents = Awaited<ReturnType<GroupReads["contents"]>>;

export function ofType(listed: Contents, wanted: ResourceType) {
  return listed.flatMap(({ id = "", type = "", location = "", tags }) =>
    sameType(type, wanted.type) ? [{ id, name: parseResourceId(id).name, location, tags }] : [],
  );
}

export function ownIdentitiesIn(key: IdentitySetKey, listed: Contents) {
  return ofType(listed, resourceTypes.managedIdentity).flatMap((one) => {
    const component = ownIdentity(key, one)?.key;
    return component === undefined ? [] : [{ ...one, component }];
  });
}

/** The identities that still exist. */
export async function withPrincipals(
  azure: Azure,
  identities: readonly Omit<FoundManagedIdentity, "principalId">[],
): Promise<FoundManagedIdentity[]> {
  const { userAssignedIdentities } = await azure.identities();
  const live = await Promise.all(
    identities.map(async ({ component, id, name }) => {
      const one = await found(userAssignedIdentities.get(parseResourceId(id).resourceGroup ?? "", name));
      return one ? [{ component, id, name, principalId: one.principalId ?? "" }] : [];
    }),
  );
  return live.flat();
}

/** What a destroy says if there is no such issuer. */
import type { Azure } from "../azure/azure.js";
import { identitySetTag } from "../domain/ownership.js";
import { sameType, groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownsAccount } from "../domain/set-ownership.js";
import { noSuchOwner } from "../removal/nothing-found.js";
import type { IssuerPlace } from "./removal/issuer.js";

export function noSuchIssuer(azure: Azure, set: string, { groupName, accountName }: IssuerPlace): Promise<string> {
  const { type: accountType } = resourceTypes.storageAccount;
  return noSuchOwner(azure, {
    ...{ what: "issuer of the identity set", plural: "identity sets", tag: identitySetTag },
    ...{ name: set, groupName, flag: "--oidc-resource-group-name" },
    isIts: ({ id = "", type = "", tags }) =>
      sameType(type, accountType) && ownsAccount({ identitySet: set }, { id, tags }, { groupName: groupNameOf(id) ?? "", accountName }),
  });
}

/** `destroy oidc-issuer`: deletes the set's storage account, role assignment, and the group created for them. */
import { findIssuer, foreignContentsRefusal, issuerFound, type IssuerInventory, type IssuerPlace } from "./removal/issuer.js";
import { issuerInUse } from "./removal/issuer-in-use.js";
import type { Resolved } from "../settings/settings.js";
import { issuerPlace } from "./inputs.js";
import { destroy } from "../run/destroy.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Azure } from "../azure/azure.js";
import { identitySetTag } from "../domain/ownership.js";
import { sameType, groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownsAccount } from "../domain/set-ownership.js";
import { noSuchOwner } from "../removal/nothing-found.js";

const command = "destroy oidc-issuer";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = { ...given, name: given.identitiesName };
  const { name } = settings;
  return destroy({ settings, notices, port, command, subject: name, names: { identitySet: name } }, async (azure) => {
    const place = issuerPlace(settings);
    const find = (knownGroups: IssuerInventory["groups"]) => findIssuer(azure, { identitySet: name }, { ...place, knownGroups });
    const inventory = await find([]);
    const usedByOthers = () => issuerInUse(azure, name, inventory);
    return {
      found: issuerFound(azure, inventory),
      findAgain: async () => issuerFound(azure, await find(inventory.groups)),
      refusal: (await usedByOthers()) ?? foreignContentsRefusal(inventory),
      usedByOthers,
      nothingFound: () => noSuchIssuer(azure, name, place),
    };
  });
}

/** What a destroy says if there is no such issuer. */
function noSuchIssuer(azure: Azure, set: string, { groupName, accountName }: IssuerPlace): Promise<string> {
  const { type: accountType } = resourceTypes.storageAccount;
  return noSuchOwner(azure, {
    what: "issuer of the identity set",
    plural: "identity sets",
    tag: identitySetTag,
    name: set,
    groupName,
    flag: "--oidc-resource-group-name",
    isIts: ({ id = "", type = "", tags }) =>
      sameType(type, accountType) && ownsAccount({ identitySet: set }, { id, tags }, { groupName: groupNameOf(id) ?? "", accountName }),
  });
}

/** Looks up the principal of a role assignment: another identity that aro-hcp created and that may need it, or another principal. */
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { orRefused } from "../../azure/or-refused.js";
import { namedApplication } from "../../domain/identity-names.js";
import { identitySetTag } from "../../domain/ownership.js";
import { tagValue } from "../../domain/tags.js";
import type { ListIdentities } from "./identity-ownership.js";
import { sameText } from "../../text/same-text.js";

/** `ownIdentity` is a description: "file of set demo"; "other" if aro-hcp did not create it; "unknown" if the directory cannot be read. */
type Assignee = { readonly ownIdentity: string } | "other" | "unknown";

/** Looks up by object ID, only when a check fails. */
export type AssigneeLookup = (objectId: string) => Promise<Assignee>;

export function assigneeLookup(azure: Azure, identities: ListIdentities): AssigneeLookup {
  return async (objectId) => {
    const managed = (await orRefused(identities()))?.find(({ principalId }) => sameText(principalId, objectId));
    const tagged = tagValue(managed?.tags, identitySetTag);
    if (tagged !== undefined) return { ownIdentity: `${managed?.name ?? objectId} of set ${tagged}` };
    try {
      const directory = await azure.directory();
      const [principal] = await directory.principals([objectId]);
      const [application] = principal === undefined ? [] : await directory.applicationsOf([principal.appId]);
      const named = namedApplication(application?.uniqueName ?? "");
      return named === undefined ? "other" : { ownIdentity: `${named.component} of set ${named.set.name}` };
    } catch (error) {
      if (azureCodeOf(error) !== "Authorization_RequestDenied") throw error;
      return "unknown";
    }
  };
}

/** Looks up the principal of a role assignment, and whether aro-hcp created its identity. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { orRefused } from "../../azure/or-refused.js";
import { namedApplication } from "../../domain/identity-names.js";
import { identitySetTag } from "../../domain/ownership.js";
import { tagValue } from "../../domain/tags.js";
import type { IdentityReads } from "./reads.js";
import { sameText } from "../../text/same-text.js";

/** A description of an assignment whose principal is, or may be, another identity that aro-hcp created. */
export async function otherOwner(
  reads: IdentityReads,
  { name = "", principalId = "" }: RoleAssignment,
  objectId: string,
): Promise<string | undefined> {
  if (sameText(principalId, objectId)) return undefined;
  const found = await orRefused(identityOf(reads, principalId));
  if (found === undefined) return `${name} belongs to ${principalId}, which cannot be looked up in the directory`;
  return found.ours === undefined ? undefined : `${name} belongs to ${found.ours}`;
}

/** `ours`: "file of set demo"; undefined if aro-hcp did not create it. */
async function identityOf({ azure, identities }: IdentityReads, objectId: string): Promise<{ readonly ours: string | undefined }> {
  const managed = (await orRefused(identities()))?.find(({ principalId }) => sameText(principalId, objectId));
  const tagged = tagValue(managed?.tags, identitySetTag);
  if (tagged !== undefined) return { ours: `${managed?.name ?? objectId} of set ${tagged}` };
  const directory = await azure.directory();
  const [principal] = await directory.principals([objectId]);
  const [application] = principal === undefined ? [] : await directory.applicationsOf([principal.appId]);
  const named = namedApplication(application?.uniqueName ?? "");
  return { ours: named && `${named.component} of set ${named.set.name}` };
}

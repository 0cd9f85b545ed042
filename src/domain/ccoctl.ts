/** What ccoctl sets on the resources of a cluster: a tag whose name ends with the name that ccoctl was run with. */
import { sameText } from "../text/same-text.js";
import { tagsInLowerCase, type Tags } from "./tags.js";

export const ccoctlTag = "openshift.io_cloud-credential-operator_";

/** The names of those who created it, in lower case. */
export function ccoctlOwners(tags: Tags): string[] {
  return tagsInLowerCase(tags).flatMap(([tag, value]) =>
    tag.startsWith(ccoctlTag) && value === "owned" ? [tag.slice(ccoctlTag.length)] : [],
  );
}

export function isOfCcoctl(name: string, tags: Tags): boolean {
  return ccoctlOwners(tags).some((owner) => sameText(owner, name));
}

/** Whether it is a managed identity that ccoctl creates: `<name>-<namespace>-<secret>`, of this name alone. */
export function isCcoctlIdentity(name: string, identity: { readonly name: string; readonly tags?: Tags }): boolean {
  const isAlone = ccoctlOwners(identity.tags).length === 1;
  return isAlone && isOfCcoctl(name, identity.tags) && identity.name.toLowerCase().startsWith(`${name.toLowerCase()}-`);
}

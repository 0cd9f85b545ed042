/** Finds the issuer and the identities of ccoctl by its tags and names, and what shows that others use them. */
import type { Azure } from "../azure/azure.js";
import { listContents, readGroup } from "../azure/group-contents.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { ccoctlOwners, isCcoctlIdentity, isOfCcoctl } from "../domain/ccoctl.js";
import { issuerUrl } from "../domain/issuer.js";
import { hasOwner } from "../domain/ownership.js";
import { sameId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Tags } from "../domain/tags.js";
import { Failure } from "../errors/failure.js";
import { discoveryPath, keysIn, keySetPath } from "../oidc/documents.js";
import { plural } from "../text/plural.js";
import { parseJson } from "../text/json.js";
import { sameText } from "../text/same-text.js";
import { isOfAccount, trustsOfAll, type Trust } from "../azure/federated-trust.js";

interface Part {
  readonly id: string;
  readonly name: string;
  readonly tags: Tags;
}

interface PublishedContainer {
  readonly name: string;
  readonly url: string;
  /** IDs of the published keys; undefined without documents of this issuer. */
  readonly kids: readonly string[] | undefined;
}

export interface CcoctlIssuer {
  /** Undefined if ccoctl did not create it. */
  readonly group: Part | undefined;
  readonly groupName: string;
  readonly account: Part;
  /** Those that publish an issuer, or have the name of one. */
  readonly containers: readonly PublishedContainer[];
  readonly identities: readonly Part[];
  /** IDs of what else is in the group. */
  readonly others: readonly string[];
}

export interface CcoctlPlace {
  /** The name that ccoctl was run with. */
  readonly name: string;
  readonly groupName: string;
  /** Where there are several. */
  readonly accountName: string | undefined;
  readonly containerName: string;
}

/** Undefined if the group has no storage account with the tag of ccoctl for this name. @throws ARO-USAGE-001 if it has several */
export async function findCcoctlIssuer(azure: Azure, place: CcoctlPlace): Promise<CcoctlIssuer | undefined> {
  const { name, groupName, accountName } = place;
  const [live, contents] = await Promise.all([readGroup(azure, groupName), listContents(azure, groupName)]);
  const parts = contents.map(({ id = "", type = "", name: own = "", tags }) => ({ id, type, name: own, tags }));
  const accounts = parts.filter(
    (one) =>
      sameType(one.type, resourceTypes.storageAccount.type) &&
      isOfCcoctl(name, one.tags) &&
      (accountName === undefined || sameText(one.name, accountName)),
  );
  const [account] = accounts;
  if (account === undefined) return undefined;
  if (accounts.length > 1) {
    throw new Failure("ARO-USAGE-001", `resource group ${groupName} has ${plural(accounts.length, "storage account")} of ccoctl`, {
      because: accounts.map((one) => one.name).join(", "),
      next: ["pass the one to adopt as --storage-account-name"],
    });
  }
  const identities = parts.filter((one) => sameType(one.type, resourceTypes.managedIdentity.type) && isCcoctlIdentity(name, one));
  const own = [account, ...identities];
  return {
    group:
      live?.id !== undefined && isOfCcoctl(name, live.tags) ? { id: live.id, name: live.name ?? groupName, tags: live.tags } : undefined,
    groupName,
    account,
    containers: await containersOf(azure, place, account.name),
    identities,
    others: parts.flatMap((one) => (own.includes(one) ? [] : [one.id])),
  };
}

async function containersOf(azure: Azure, { groupName, containerName }: CcoctlPlace, account: string): Promise<PublishedContainer[]> {
  const { blobContainers } = await azure.storage();
  const listed = (await found(all(blobContainers.list(groupName, account)))) ?? [];
  const containers = await Promise.all(
    listed.map(async ({ name = "" }): Promise<PublishedContainer[]> => {
      const url = issuerUrl(azure.connection.cloud.blobSuffix, { account, container: name });
      const kids = await publishedKids(azure, url);
      return kids === undefined && !sameText(name, containerName) ? [] : [{ name, url, kids }];
    }),
  );
  return containers.flat();
}

/** Undefined if it does not publish an issuer with exactly this URL. */
async function publishedKids(azure: Azure, url: string): Promise<readonly string[] | undefined> {
  const [discovery, keySet] = await Promise.all([azure.published(`${url}/${discoveryPath}`), azure.published(`${url}/${keySetPath}`)]);
  const document = discovery.status === 200 ? parseJson(discovery.body) : undefined;
  const isIssuer = typeof document === "object" && document !== null && "issuer" in document && document.issuer === url;
  return isIssuer && keySet.status === 200 ? keysIn(keySet.body)?.map(({ kid }) => kid) : undefined;
}

/** What shows that not only this cluster uses the issuer: whoever owns it can act as everything that trusts it. */
export async function usedByOthers(azure: Azure, name: string, { account, identities }: CcoctlIssuer): Promise<Failure | undefined> {
  const owners = ccoctlOwners(account.tags).filter((owner) => !sameText(owner, name));
  if (owners.length > 0) {
    return new Failure("ARO-OWN-001", `storage account ${account.name} has the tags of several runs of ccoctl`, {
      because: `${owners.join(", ")} may use the issuer too`,
      next: [`if nothing uses it any more, delete the tags of ${owners.join(", ")}; then rerun the command`],
    });
  }
  const { blobSuffix } = azure.connection.cloud;
  const trusts = await trustsOfAll(azure);
  const isOwn = ({ id }: Trust) => identities.some((one) => sameId(one.id, id));
  const others = trusts.filter((one) => isOfAccount(one, account.name, blobSuffix) && !isOwn(one) && !hasOwner(one.tags));
  if (others.length > 0) {
    return new Failure(
      "ARO-OWN-006",
      `other identities than those of ccoctl's ${name} trust the issuer of storage account ${account.name}`,
      {
        because: others.map(({ id, subject }) => `${id} (${subject})`).join(", "),
        next: ["if nobody needs these federated identity credentials any more, delete them; then rerun the command", keep],
      },
    );
  }
  const further = trusts.filter((one) => isOwn(one) && !isOfAccount(one, account.name, blobSuffix));
  if (further.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `identities of ccoctl's ${name} also trust other issuers`, {
    because: further.map(({ id, issuer, subject }) => `${id} trusts ${issuer} (${subject})`).join(", "),
    next: ["if nobody needs these federated identity credentials any more, delete them; then rerun the command", keep],
  });
}

const keep = "otherwise leave the issuer to ccoctl: other commands use it by its URL";

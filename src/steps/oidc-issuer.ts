/** The issuer of service-account tokens as a graph of steps. */
import type { Azure } from "../azure/azure.js";
import type { SignedIn } from "../azure/signed-in.js";
import { defineLookup, type Step } from "../engine/step.js";
import type { IssuerSpec } from "../domain/issuer.js";
import { principalTitle } from "../domain/role-assignment-title.js";
import { blobContributor } from "../domain/roles.js";
import type { Jwk } from "../oidc/signing-key.js";
import { listedAssignments } from "./assignment-lists.js";
import { grant } from "./grant.js";
import { issuerDocuments, type IssuerOutput } from "./issuer-documents.js";
import { ownGroup, type GroupOutput } from "./resource-groups.js";
import { publicContainer, storageAccount } from "./storage-account.js";

export type SigningKeys = Step<{ readonly keys: readonly Jwk[] }>;

export interface IssuerGraph {
  readonly steps: readonly Step<unknown>[];
  readonly documents: Step<IssuerOutput>;
  readonly group: Step<GroupOutput>;
}

/** `keys` are published next to existing ones. `caller` uploads them; also with an account key, it gets the role for later uploads. */
export function issuerGraph(azure: Azure, spec: IssuerSpec, keys: SigningKeys, caller: SignedIn): IssuerGraph {
  const { subscriptionId, location, owner, tags } = spec;
  const group = ownGroup(azure, { subscriptionId, location, owner, tags }, "issuer-group", spec.group);
  const account = storageAccount(azure, spec, group);
  const forCaller = { id: "issuer-role", role: blobContributor, holder: principalTitle(caller.objectId, caller), principal: caller };
  const role = grant(azure, forCaller, account, listedAssignments(azure));
  const container = publicContainer(azure, spec, group, account);
  const documents = issuerDocuments(azure, spec, account.resourceId, {
    keys,
    container,
    ...(spec.upload !== "account-key" && { role }),
  });
  return { steps: [keys, group, account, role, container, documents], documents, group };
}

/** Keys from files, already read and checked. */
export function givenKeys(keys: readonly Jwk[]): SigningKeys {
  return defineLookup({
    id: "signing-keys",
    subject: { kind: "file" },
    title:
      keys.length === 0
        ? "no additional signing key"
        : `${keys.length === 1 ? "signing key" : "signing keys"} ${keys.map(({ kid }) => kid).join(" and ")}`,
    needs: {},
    read: () => Promise.resolve(keys),
    decide: () => ({ act: "adopt" }),
    output: (live) => ({ keys: live }),
  });
}

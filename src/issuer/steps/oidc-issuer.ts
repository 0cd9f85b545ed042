/** The issuer of service-account tokens as a graph of steps. */
import type { Azure } from "../../azure/azure.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { defineLookup, type Step } from "../../engine/step.js";
import type { IssuerSpec } from "../../domain/issuer.js";
import { principalTitle } from "../../domain/role-assignment-title.js";
import { blobContributor } from "../../domain/roles.js";
import type { Jwk } from "../../oidc/signing-key.js";
import { listedAssignments } from "../../steps/assignment-lists.js";
import { grant, type GrantOutput } from "../../steps/grant.js";
import { issuerDocuments, type IssuerOutput } from "./issuer-documents.js";
import { ownGroup, type GroupOutput } from "../../steps/resource-groups.js";
import { roleForOneRun } from "../../steps/role-for-one-run.js";
import { publicContainer } from "./public-container.js";
import { storageAccount } from "./storage-account.js";

export type SigningKeys = Step<{ readonly keys: readonly Jwk[] }>;

export interface IssuerGraph {
  readonly steps: readonly Step<unknown>[];
  readonly documents: Step<IssuerOutput>;
  readonly group: Step<GroupOutput>;
}

/**
 * `keys` are published next to existing ones. `caller` uploads them; also with an account key, it gets the role for later uploads, unless it
 * gives its roles back.
 */
export function issuerGraph(
  azure: Azure,
  spec: IssuerSpec,
  keys: SigningKeys,
  caller: SignedIn,
  { keepsRoles = true }: { readonly keepsRoles?: boolean | undefined } = {},
): IssuerGraph {
  const { subscriptionId, location, owner, tags } = spec;
  const group = ownGroup(azure, { subscriptionId, location, owner, tags }, "issuer-group", spec.group);
  const account = storageAccount(azure, spec, group);
  const { role, takeBack } = uploadRole(azure, account, caller, { keepsRole: keepsRoles, uploads: spec.upload !== "account-key" });
  const container = publicContainer(azure, spec, group, account);
  const documents = issuerDocuments(azure, spec, account.resourceId, {
    keys,
    container,
    ...(spec.upload !== "account-key" && role && { role }),
  });
  const roles = role ? [role] : [];
  return { steps: [keys, group, account, ...roles, container, documents, ...takeBack(documents)], documents, group };
}

interface UploadRole {
  readonly role?: Step<GrantOutput>;
  takeBack(documents: Step<unknown>): readonly Step<unknown>[];
}

function uploadRole(
  azure: Azure,
  account: ReturnType<typeof storageAccount>,
  caller: SignedIn,
  { keepsRole, uploads }: { readonly keepsRole: boolean; readonly uploads: boolean },
): UploadRole {
  const wanted = { id: "issuer-role", role: blobContributor };
  const lists = listedAssignments(azure);
  if (!keepsRole) {
    if (!uploads) return { takeBack: () => [] };
    const { assigned, end } = roleForOneRun(azure, wanted, account, lists, caller);
    return { role: assigned, takeBack: (documents) => [end([documents])] };
  }
  const holder = principalTitle(caller.objectId, caller);
  return { role: grant(azure, { ...wanted, holder, principal: caller }, account, lists), takeBack: () => [] };
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
    decide: () => ({ act: "use" }),
    output: (live) => ({ keys: live }),
  });
}

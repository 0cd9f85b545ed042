/** Advice about an identity set: complete commands if the tags of its vault name the set, otherwise text. */
import type { Vault } from "@azure/arm-keyvault";
import { advise, aroHcp, joinAdvice, shell, type Advice, type OwnCommand } from "../../errors/advice.js";
import { shapeOf } from "../../files/identity-files.js";
import { controlPlaneComponents } from "../../domain/components.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { identitySetTag } from "../../domain/ownership.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { secretsUser } from "../../domain/roles.js";
import { tagValue } from "../../domain/tags.js";
import type { IdentityChain } from "./chain.js";
import { hasKms } from "./file-documents.js";

/** An identity set that `create identities` created, according to its vault's tags. */
export interface KnownSet extends Pick<IdentitySetKey, "subscriptionId" | "groupName" | "name"> {
  readonly location: string | undefined;
}

export interface SetAdvice {
  /** The set that owns the vault; undefined if unknown. */
  readonly set: KnownSet | undefined;
  /** Creates the missing parts of the set. */
  readonly create: OwnCommand;
  /** The same, and rewrites the identity files. */
  readonly createWithFiles: OwnCommand;
  /** How to correct wrong values in the files: by hand, or with the command that rewrites the files. */
  correct(values: readonly Correction[]): Advice;
  /** Rewrites the secret with the right values. */
  rewriteSecret(secretName: string): Advice;
  /** Replaces the certificate and the secret. */
  rotate(component: string): Advice;
  /** Grants the signed-in principal read access to secrets. */
  grantRead(): Advice;
}

export interface Correction {
  readonly key: string;
  /** `file:line`. */
  readonly place: string;
  /** The correct value; undefined if unknown. */
  readonly right: string | undefined;
}

/** A vault, live or soft-deleted. */
export type KnownVault = Pick<Vault, "id" | "name" | "location" | "tags">;

/** `vault`: undefined if unknown. */
export function adviceFor(vault: KnownVault | undefined, chain: IdentityChain): SetAdvice {
  const { id = "", name = "", location, tags } = vault ?? {};
  const { caller, issuerUrl } = chain;
  const setName = tagValue(tags, identitySetTag);
  const { subscriptionId = "", resourceGroup: groupName } = id === "" ? {} : parseResourceId(id);
  // If the set is ours, `create identities` knows the content of each secret.
  const set = setName === undefined || groupName === undefined ? undefined : { subscriptionId, groupName, name: setName, location };
  const place = set && { identitiesName: set.name, persistentResourceGroupName: set.groupName, keyVaultName: name };
  const settings =
    place && issuerUrl !== undefined ? { ...place, location, oidcIssuerUrl: issuerUrl, enableKms: hasKms(chain) } : undefined;
  const create = aroHcp("create identities", settings);
  const createWithFiles = aroHcp("create identities", settings && { ...settings, ...outputFiles(chain) });
  return {
    set,
    create,
    createWithFiles,
    correct: (values) => {
      const byHand = values.map(({ key, place: at, right }) =>
        right === undefined ? `correct ${key} at ${at}` : `set ${key} to "${right}" at ${at}`,
      );
      const rewrite = settings === undefined ? "" : advise`, or rewrite the file: ${createWithFiles}`;
      return advise`${joinAdvice(byHand, ", ")}${rewrite}; the resources in Azure are correct`;
    },
    rewriteSecret: (secretName) =>
      settings === undefined
        ? advise`rewrite it as docs/files.md describes: ${shell`az keyvault secret set --vault-name ${name} --name ${secretName} --file FILE`}`
        : advise`${create} rewrites it`,
    rotate: (component) =>
      place
        ? aroHcp("rotate credentials", {
            ...place,
            component: controlPlaneComponents.flatMap(({ key }) => (key === component ? [key] : [])),
          })
        : "create a new certificate, add it to the application, and rewrite the secret",
    grantRead: () =>
      advise`${shell`az role assignment create --role ${secretsUser.name} --assignee-object-id ${caller.objectId} --assignee-principal-type ${caller.principalType} --scope ${id}`}; it takes effect after a few minutes`,
  };
}

/** The given files, by the setting that writes a file of that shape. */
function outputFiles({ managedIdentities, dataPlaneIdentities }: IdentityChain) {
  const given = [managedIdentities, dataPlaneIdentities].flatMap((file) => file ?? []);
  const path = (shape: ReturnType<typeof shapeOf>) =>
    given.find(({ read }) => "document" in read && shapeOf(read.document.value) === shape)?.path;
  return {
    outputFile: path("combined"),
    outputManagedIdentities: path("control-plane"),
    outputDataPlaneIdentities: path("data-plane"),
  };
}

/** What to do about a set of identities and the contents of its vault: whole commands where the vault names its set, otherwise in words. */
import type { Vault } from "@azure/arm-keyvault";
import { advise, aroHcp, joinAdvice, shell, type Advice, type OwnCommand } from "../../errors/advice.js";
import { shapeOf } from "../../files/identity-files.js";
import { controlPlaneComponents } from "../../domain/components.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { identitySetTag } from "../../domain/ownership.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { secretsUser } from "../../domain/roles.js";
import type { IdentityChain } from "./chain.js";
import { hasKms } from "./file-documents.js";

/** A set of identities of ours, as its vault tells it. */
export interface KnownSet extends Pick<IdentitySetKey, "subscriptionId" | "groupName" | "name"> {
  readonly location: string | undefined;
}

export interface SetAdvice {
  /** Whose the vault is; undefined where that is not known. */
  readonly set: KnownSet | undefined;
  /** Creates what is missing of the set. */
  readonly make: OwnCommand;
  /** The same, and rewrites the files that were given. */
  readonly makeWithFiles: OwnCommand;
  /** How values of the files are corrected that are not this set's: by hand, or by the command that rewrites the files. */
  correct(values: readonly Correction[]): Advice;
  /** Rewrites the secret with the right values. */
  writeAgain(secretName: string): Advice;
  /** Replaces certificate and secret. */
  rotate(component: string): Advice;
  /** Grants the signed-in principal read access to secrets. */
  letRead(): Advice;
}

export interface Correction {
  readonly key: string;
  /** `file:line`. */
  readonly place: string;
  /** Undefined where it is not known what it should be. */
  readonly right: string | undefined;
}

/** Of a vault that exists or was deleted. */
export type KnownVault = Pick<Vault, "id" | "name" | "location" | "tags">;

/** `vault`: undefined where it is not known. */
export function adviceFor(vault: KnownVault | undefined, chain: IdentityChain): SetAdvice {
  const { id = "", name = "", location, tags } = vault ?? {};
  const { caller, issuerUrl } = chain;
  const setName = tags?.[identitySetTag];
  const { subscriptionId = "", resourceGroup: groupName } = id === "" ? {} : parseResourceId(id);
  // Of a set of ours, `create identities` knows what each secret must say.
  const set = setName === undefined || groupName === undefined ? undefined : { subscriptionId, groupName, name: setName, location };
  const place = set && { name: set.name, persistentResourceGroupName: set.groupName, keyVaultName: name };
  const making = place && issuerUrl !== undefined ? { ...place, location, oidcIssuerUrl: issuerUrl, enableKms: hasKms(chain) } : undefined;
  const make = aroHcp("create identities", making);
  const makeWithFiles = aroHcp("create identities", making && { ...making, ...outputFiles(chain) });
  return {
    set,
    make,
    makeWithFiles,
    correct: (values) => {
      const byHand = values.map(({ key, place: at, right }) =>
        right === undefined ? `correct ${key} at ${at}` : `set ${key} to "${right}" at ${at}`,
      );
      const rewrite = making === undefined ? "" : advise`, or rewrite the file: ${makeWithFiles}`;
      return advise`${joinAdvice(byHand, ", ")}${rewrite}; the resources in Azure are correct`;
    },
    writeAgain: (secretName) =>
      making === undefined
        ? advise`rewrite it, as docs/files.md shows: ${shell`az keyvault secret set --vault-name ${name} --name ${secretName} --file FILE`}`
        : advise`${make} rewrites it`,
    rotate: (component) =>
      place
        ? aroHcp("rotate credentials", {
            ...place,
            component: controlPlaneComponents.flatMap(({ key }) => (key === component ? [key] : [])),
          })
        : "create a new certificate, add it to the application, and rewrite the secret",
    letRead: () =>
      advise`${shell`az role assignment create --role ${secretsUser.name} --assignee-object-id ${caller.objectId} --assignee-principal-type ${caller.principalType} --scope ${id}`}; it takes effect after some minutes`,
  };
}

/** Each file by the setting that writes one of its shape. */
function outputFiles({ managedIdentities, dataPlaneIdentities }: IdentityChain) {
  const given = [managedIdentities, dataPlaneIdentities].flatMap((file) => file ?? []);
  const path = (shape: ReturnType<typeof shapeOf>) =>
    given.find(({ read }) => "document" in read && shapeOf(read.document.value) === shape)?.path;
  return {
    outputFile: path("combined"),
    managedIdentitiesOutputFile: path("control-plane"),
    dataPlaneIdentitiesOutputFile: path("data-plane"),
  };
}

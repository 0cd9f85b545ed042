/** What to do about a set of identities and what is in its vault: whole commands where the vault tells whose it is, else in words. */
import type { Vault } from "@azure/arm-keyvault";
import { shellWord } from "../../errors/shell-word.js";
import { shapeOf } from "../../files/identity-files.js";
import type { GivenDocument } from "../../files/given-document.js";
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

export interface Advice {
  /** Whose the vault is; undefined where that is not told. */
  readonly set: KnownSet | undefined;
  /** Makes what is missing of the set: a command, in backticks. */
  readonly make: string;
  /** The same, and writes the files anew that were given. */
  readonly makeWithFiles: string;
  /** How values of the files are corrected that are not this set's: by hand, or by the command that writes the files anew. */
  correct(values: readonly Correction[]): string;
  /** Writes the secret anew, with what is right. */
  writeAgain(secretName: string): string;
  /** Replaces certificate and secret. */
  rotate(component: string): string;
  /** Lets whoever verifies read secrets. */
  letRead(): string;
}

export interface Correction {
  readonly key: string;
  /** `file:line`. */
  readonly place: string;
  /** Undefined where it is not known what it should be. */
  readonly right: string | undefined;
}

/** Of a vault that is there or was deleted. */
export type KnownVault = Pick<Vault, "id" | "name" | "location" | "tags">;

/** `vault`: undefined where it is not known. */
export function adviceFor(vault: KnownVault | undefined, chain: IdentityChain): Advice {
  const { id = "", name = "", location, tags } = vault ?? {};
  const { caller, issuerUrl } = chain;
  const setName = tags?.[identitySetTag];
  const { subscriptionId = "", resourceGroup: groupName } = id === "" ? {} : parseResourceId(id);
  // Of a set of ours, `create identities` knows what each secret must say.
  const set = setName === undefined || groupName === undefined ? undefined : { subscriptionId, groupName, name: setName, location };
  const ours = set !== undefined;
  const flags = ours ? ["--name", set.name, "--resource-group-name", set.groupName, "--key-vault-name", name] : [];
  const making =
    ours && issuerUrl !== undefined
      ? [
          ...flags,
          ...(location === undefined ? [] : ["--location", location]),
          ...["--oidc-issuer-url", issuerUrl],
          ...(hasKms(chain) ? ["--enable-kms"] : []),
        ]
      : undefined;
  const make = command("create identities", making ?? []);
  const makeWithFiles = command("create identities", making === undefined ? [] : [...making, ...outputFlags(chain)]);
  return {
    set,
    make,
    makeWithFiles,
    correct: (values) => {
      const byHand = values.map(({ key, place, right }) =>
        right === undefined ? `correct ${key} at ${place}` : `put ${key} "${right}" at ${place}`,
      );
      const anew = making === undefined ? "" : `, or have the file written anew: ${makeWithFiles}`;
      return `${byHand.join(", ")}${anew}; what is in Azure is not at fault`;
    },
    writeAgain: (secretName) =>
      making === undefined
        ? `write it anew, as docs/files.md shows it: \`az keyvault secret set --vault-name ${name} --name ${secretName} --file FILE\``
        : `${make} writes it anew`,
    rotate: (component) =>
      ours
        ? command("rotate credentials", [...flags, "--component", component])
        : "make a new certificate, put it on the application, and write the secret anew",
    letRead: () =>
      `\`az role assignment create --role "${secretsUser.name}" --assignee-object-id ${caller.objectId} --assignee-principal-type ${caller.principalType} --scope ${id}\`; it takes some minutes to spread`,
  };
}

function command(words: string, flags: readonly string[]): string {
  return `\`${["aro-hcp", words, ...flags.map(shellWord)].join(" ")}\``;
}

/** Each file by the flag that writes one of its shape. */
function outputFlags({ managedIdentities, dataPlaneIdentities }: IdentityChain): string[] {
  return [managedIdentities, dataPlaneIdentities].flatMap((given) => {
    const flag = given && outputFlagOf(given);
    return flag === undefined ? [] : [flag, given?.path ?? ""];
  });
}

function outputFlagOf({ read }: GivenDocument): string | undefined {
  switch ("document" in read ? shapeOf(read.document.value) : undefined) {
    case "combined":
      return "--output-file";
    case "control-plane":
      return "--managed-identities-output-file";
    case "data-plane":
      return "--data-plane-identities-output-file";
    default:
      return undefined;
  }
}

/** From settings to what a verification of identities is given: the files that were named, and those of a directory for the others. */
import type { SignedIn } from "../azure/signed-in.js";
import { givenDocument } from "../files/given-document.js";
import { readInfraOutput } from "../files/infra-output.js";
import { privateKeyFile } from "../files/key-pair.js";
import type { Settings } from "../settings/settings.js";
import type { IdentityChain } from "../verify/identities/chain.js";
import { fileIn, inputFiles } from "./input-files.js";

type VerifySettings = Settings<"verify identities">;

/** What is known before anybody has signed in. Throws ARO-FILE-00x for infrastructure and issuer; of identity files that is a finding. */
export interface GivenFiles extends Pick<
  IdentityChain,
  "managedIdentities" | "dataPlaneIdentities" | "infra" | "issuerUrl" | "signingKeyPath"
> {
  /** Path of `infra`. */
  readonly infraFile: string | undefined;
}

export async function givenFiles(settings: VerifySettings): Promise<GivenFiles> {
  const { inputDir, dataPlaneIdentitiesFile } = settings;
  const { managedIdentities, infra, issuerUrl } = await inputFiles(settings);
  return {
    infraFile: infra,
    managedIdentities: managedIdentities === undefined ? undefined : await givenDocument(managedIdentities),
    dataPlaneIdentities: dataPlaneIdentitiesFile === undefined ? undefined : await givenDocument(dataPlaneIdentitiesFile),
    infra: infra === undefined ? undefined : await readInfraOutput(infra),
    issuerUrl,
    signingKeyPath: settings.saTokenIssuerPrivateKeyPath ?? (await fileIn(inputDir, privateKeyFile)),
  };
}

export function identityChain(files: GivenFiles, settings: VerifySettings, runner: SignedIn): IdentityChain {
  const { infraFile: _, ...given } = files;
  return {
    ...given,
    runner,
    encryptionKeyId: settings.encryptionKeyId,
    watchExpiryDays: settings.watchExpiry,
    customHcpRoles: settings.assignCustomHcpRoles,
    disabledCapabilities: settings.disableClusterCapabilities,
    now: () => new Date(),
  };
}

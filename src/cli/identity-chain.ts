/** From settings to what a verification of identities is given: the files that were named, and those of a directory for the others. */
import { join } from "node:path";
import type { SignedIn } from "../azure/signed-in.js";
import { givenDocument } from "../files/given-document.js";
import { readInfraOutput } from "../files/infra-output.js";
import { privateKeyFile } from "../files/key-pair.js";
import { readDocument } from "../files/read.js";
import { readTextIfThere } from "../files/text-file.js";
import type { Settings } from "../settings/settings.js";
import type { IdentityChain } from "../verify/identities/chain.js";

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
  const { inputDir, managedIdentitiesFile, dataPlaneIdentitiesFile } = settings;
  const inDirectory = async (name: string): Promise<string | undefined> => {
    const path = inputDir === undefined ? undefined : join(inputDir, name);
    return path !== undefined && (await readTextIfThere(path)) !== undefined ? path : undefined;
  };
  const managed = managedIdentitiesFile ?? (inputDir === undefined ? undefined : join(inputDir, "identities.json"));
  const infra = settings.infraJson ?? (await inDirectory("infra.json"));
  const discovery = settings.oidcIssuerUrl === undefined ? await inDirectory("openid-configuration") : undefined;
  return {
    infraFile: infra,
    managedIdentities: managed === undefined ? undefined : await givenDocument(managed),
    dataPlaneIdentities: dataPlaneIdentitiesFile === undefined ? undefined : await givenDocument(dataPlaneIdentitiesFile),
    infra: infra === undefined ? undefined : await readInfraOutput(infra),
    issuerUrl: settings.oidcIssuerUrl ?? (discovery === undefined ? undefined : await issuerIn(discovery)),
    signingKeyPath: settings.saTokenIssuerPrivateKeyPath ?? (await inDirectory(privateKeyFile)),
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

async function issuerIn(path: string): Promise<string | undefined> {
  const { value } = await readDocument(path);
  const issuer: unknown = typeof value === "object" && value !== null && "issuer" in value ? value.issuer : undefined;
  return typeof issuer === "string" ? issuer : undefined;
}

/** The files that tell of a cluster and its identities: those that were named, and those of a directory for the others. */
import { join } from "node:path";
import { readDocument } from "../files/read.js";
import { readTextIfThere } from "../files/text-file.js";
import { directoryFiles } from "../infra/directory-files.js";

export interface NamedFiles {
  readonly inputDir: string | undefined;
  readonly managedIdentitiesFile: string | undefined;
  readonly infraJson: string | undefined;
  readonly oidcIssuerUrl: string | undefined;
}

export interface InputFiles {
  /** In a directory it is looked for without being seen first: a directory without identities is the wrong one. */
  readonly managedIdentities: string | undefined;
  readonly infra: string | undefined;
  readonly issuerUrl: string | undefined;
}

/** Throws ARO-FILE-001 or 002 for a discovery document that cannot be read. */
export async function inputFiles({ inputDir, managedIdentitiesFile, infraJson, oidcIssuerUrl }: NamedFiles): Promise<InputFiles> {
  const discovery = oidcIssuerUrl === undefined ? await fileIn(inputDir, directoryFiles.discovery) : undefined;
  return {
    managedIdentities: managedIdentitiesFile ?? (inputDir === undefined ? undefined : join(inputDir, directoryFiles.identities)),
    infra: infraJson ?? (await fileIn(inputDir, directoryFiles.infra)),
    issuerUrl: oidcIssuerUrl ?? (discovery === undefined ? undefined : await issuerIn(discovery)),
  };
}

/** Undefined where it is not there. */
export async function fileIn(directory: string | undefined, name: string): Promise<string | undefined> {
  const path = directory === undefined ? undefined : join(directory, name);
  return path !== undefined && (await readTextIfThere(path)) !== undefined ? path : undefined;
}

async function issuerIn(path: string): Promise<string | undefined> {
  const { value } = await readDocument(path);
  const issuer: unknown = typeof value === "object" && value !== null && "issuer" in value ? value.issuer : undefined;
  return typeof issuer === "string" ? issuer : undefined;
}

/** The files of a cluster and its identities: those from flags, and those of a directory for the others. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../errors/failure.js";
import { readDocument } from "../files/read.js";
import { readTextIfThere } from "../files/text-file.js";
import { directoryFiles } from "../domain/directory-files.js";

export interface NamedFiles {
  readonly inputDir: string | undefined;
  readonly managedIdentitiesFile: string | undefined;
  readonly infraFile: string | undefined;
  readonly oidcIssuerUrl: string | undefined;
}

export interface InputFiles {
  readonly managedIdentities: string | undefined;
  readonly infra: string | undefined;
  readonly issuerUrl: string | undefined;
}

/** @throws ARO-FILE-001 or 002 for an unreadable discovery document, ARO-USAGE-001 for a directory without identities */
export async function inputFiles({ inputDir, managedIdentitiesFile, infraFile, oidcIssuerUrl }: NamedFiles): Promise<InputFiles> {
  if (inputDir !== undefined && managedIdentitiesFile === undefined) await requireWritten(inputDir, directoryFiles.identities);
  const discovery = oidcIssuerUrl === undefined ? await fileIn(inputDir, directoryFiles.discovery) : undefined;
  return {
    managedIdentities: managedIdentitiesFile ?? (inputDir === undefined ? undefined : join(inputDir, directoryFiles.identities)),
    infra: infraFile ?? (await fileIn(inputDir, directoryFiles.infra)),
    issuerUrl: oidcIssuerUrl ?? (discovery === undefined ? undefined : await issuerIn(discovery)),
  };
}

/** @throws ARO-USAGE-001 for a directory that is not an output directory of `create all` */
export async function requireWritten(directory: string, name: string): Promise<void> {
  // What is not a regular file is reported by the read that follows.
  if (await stat(join(directory, name)).catch(() => undefined)) return;
  if ((await stat(directory).catch(() => undefined)) === undefined) {
    throw new Failure("ARO-USAGE-001", `--input-dir: ${directory} does not exist`, { next: ["pass the --output-dir of create all"] });
  }
  throw new Failure("ARO-USAGE-001", `--input-dir: ${directory} is not an output directory of create all: ${name} is missing`, {
    next: [
      "if its create all is still running or broke off, wait for it or rerun it",
      "otherwise pass the --output-dir of another create all, or each file with its own flag",
    ],
  });
}

/** Undefined if the file does not exist. */
export async function fileIn(directory: string | undefined, name: string): Promise<string | undefined> {
  const path = directory === undefined ? undefined : join(directory, name);
  return path !== undefined && (await readTextIfThere(path)) !== undefined ? path : undefined;
}

async function issuerIn(path: string): Promise<string | undefined> {
  const { value } = await readDocument(path);
  const issuer: unknown = typeof value === "object" && value !== null && "issuer" in value ? value.issuer : undefined;
  return typeof issuer === "string" ? issuer : undefined;
}

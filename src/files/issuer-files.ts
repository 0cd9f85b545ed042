/** Local copies of an issuer's published documents, with the file names of OpenShift's ccoctl. */
import { join } from "node:path";
import { directoryFiles } from "../domain/directory-files.js";
import { writeText } from "./text-file.js";

export interface IssuerTexts {
  readonly discovery: string;
  readonly keySet: string;
}

const { discovery: discoveryFile, keySet: keySetFile } = directoryFiles;
export const issuerFiles = [discoveryFile, keySetFile] as const;

/**
 * Public documents: mode 0644.
 * @throws ARO-RUN-006
 */
export async function writeIssuerFiles(directory: string, { discovery, keySet }: IssuerTexts): Promise<void> {
  await writeText(join(directory, discoveryFile), discovery, 0o644);
  await writeText(join(directory, keySetFile), keySet, 0o644);
}

/** Local copies of an issuer's published documents, with the file names of OpenShift's ccoctl. */
import { join } from "node:path";
import { z } from "zod";
import { directoryFiles } from "../../domain/directory-files.js";
import { documentOwner, isEarlierOutput, unknownOwner, type OutputFile } from "../../files/output-file.js";
import { writeText } from "../../files/write.js";

export interface IssuerTexts {
  readonly discovery: string;
  readonly keySet: string;
}

/** The owner of the documents. */
export interface IssuerOwner {
  readonly url: string;
  /** The IDs of its keys that are known here. */
  readonly kids: readonly string[];
}

const { discovery: discoveryName, keySet: keySetName } = directoryFiles;
export const issuerFileNames = [discoveryName, keySetName] as const;

const discoveryDocument = z.looseObject({ issuer: z.string(), jwks_uri: z.string() });
/** Public keys: a set with a private key ("d") or a secret ("k") is somebody's own. */
const keySetDocument = z.strictObject({
  keys: z.array(z.looseObject({ kid: z.string(), d: z.undefined().optional(), k: z.undefined().optional() })).min(1),
});

/** The files in the directory; those of another issuer, or of another program, are not replaced. */
export function issuerFiles(directory: string, owner: IssuerOwner): readonly [discovery: OutputFile, keySet: OutputFile] {
  const discovery: OutputFile = {
    path: join(directory, discoveryName),
    otherOwner: documentOwner(discoveryDocument, ({ issuer }) => (issuer === owner.url ? undefined : `the document of issuer ${issuer}`)),
  };
  return [discovery, { path: join(directory, keySetName), otherOwner: keySetOwner(discovery, owner) }];
}

/** A key set does not name its issuer: one of its keys decides, or the discovery document beside it, because keys are replaced by others. */
function keySetOwner(discovery: OutputFile, { kids }: IssuerOwner): OutputFile["otherOwner"] {
  return async ({ json }) => {
    const found = keySetDocument.safeParse(json).data;
    if (found === undefined) return unknownOwner;
    if (found.keys.some(({ kid }) => kids.includes(kid))) return undefined;
    return (await isEarlierOutput(discovery)) ? undefined : `a key set with the key ${found.keys[0]?.kid ?? ""} of another issuer`;
  };
}

/**
 * Public documents: mode 0644. The discovery document first, because it says whose the other is.
 * @throws ARO-RUN-006
 */
export async function writeIssuerFiles(directory: string, owner: IssuerOwner, { discovery, keySet }: IssuerTexts): Promise<void> {
  const [discoveryFile, keySetFile] = issuerFiles(directory, owner);
  await writeText(discoveryFile, discovery, 0o644);
  await writeText(keySetFile, keySet, 0o644);
}

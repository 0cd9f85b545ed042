/** Writes manifests to standard output, with nothing else there, to a file, or to the files of a directory. */
import { join } from "node:path";
import { makeDirectory } from "../files/text-file.js";
import { checkOutputs, writeText, type FileMode } from "../files/write.js";
import type { Writer } from "../files/written-mark.js";
import { manifestFile } from "../manifests/manifest-file.js";
import { manifestsText, type ManifestFormat } from "../manifests/text.js";
import type { Screens } from "../render/screen.js";

export interface ManifestOutput {
  readonly format: ManifestFormat;
  readonly outputFile: string | undefined;
  readonly writer: Writer;
  /** Without a Secret, manifests are public, and another user may deploy them. */
  readonly mode?: FileMode;
}

/** @throws ARO-FILE-004 */
export async function writeManifests(
  manifests: readonly object[],
  { format, outputFile, writer, mode = 0o644 }: ManifestOutput,
  screens: Screens,
): Promise<void> {
  if (outputFile === undefined) {
    screens.result.print(manifestsText(manifests, format));
    return;
  }
  const { file, text } = manifestFile(outputFile, manifests, format, writer);
  await checkOutputs([file]);
  await writeText(file, text, mode);
  screens.people.print(`written to ${outputFile}`);
}

export interface NamedManifests {
  readonly name: string;
  readonly manifests: readonly object[];
  readonly mode: FileMode;
}

/** In this order, after a check of them all. Returns their paths. @throws ARO-FILE-004 */
export async function writeManifestFiles(
  directory: string,
  contents: readonly NamedManifests[],
  format: ManifestFormat,
  writer: Writer,
): Promise<readonly string[]> {
  const files = contents.map(({ name, manifests, mode }) => ({ ...manifestFile(join(directory, name), manifests, format, writer), mode }));
  await makeDirectory(
    directory,
    contents.map(({ name }) => name),
  );
  await checkOutputs(files.map(({ file }) => file));
  for (const { file, text, mode } of files) await writeText(file, text, mode);
  return files.map(({ file }) => file.path);
}

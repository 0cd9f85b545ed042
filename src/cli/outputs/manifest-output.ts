/** Writes manifests to standard output, with nothing else there, or to a file. */
import { writeText } from "../../files/text-file.js";
import { checkReplaceable, outputMarks } from "../../files/replaceable.js";
import { manifestsText, type ManifestFormat } from "../../manifests/text.js";
import type { Screens } from "../../render/screen.js";

export interface ManifestOutput {
  readonly format: ManifestFormat;
  readonly outputFile: string | undefined;
}

/**
 * Manifests contain no secrets, and another user may deploy them: mode 0644.
 * @throws ARO-FILE-004
 */
export async function writeManifests(
  manifests: readonly object[],
  { format, outputFile }: ManifestOutput,
  screens: Screens,
): Promise<void> {
  const text = manifestsText(manifests, format);
  if (outputFile === undefined) {
    screens.result.print(text);
    return;
  }
  await checkReplaceable(outputFile, outputMarks.manifests);
  await writeText(outputFile, text, 0o644);
  screens.people.print(`written to ${outputFile}`);
}

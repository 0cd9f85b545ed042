/** Where manifests go: to standard output, alone there, or to a file. */
import { writeText } from "../../files/text-file.js";
import { checkWritable } from "../../files/write.js";
import { manifestsText, type ManifestFormat } from "../../manifests/text.js";
import type { Screens } from "../../render/screen.js";

export interface ManifestOutput {
  readonly format: ManifestFormat;
  readonly outputFile: string | undefined;
}

/**
 * There is no secret in any manifest of ours, and whoever deploys them may be another user: mode 0644.
 * @throws ARO-FILE-004.
 */
export async function putOut(manifests: readonly object[], { format, outputFile }: ManifestOutput, screens: Screens): Promise<void> {
  const text = manifestsText(manifests, format);
  if (outputFile === undefined) {
    screens.result.print(text);
    return;
  }
  await checkWritable(outputFile);
  await writeText(outputFile, text, 0o644);
  screens.people.print(`written to ${outputFile}`);
}

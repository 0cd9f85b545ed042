/** The files of `create arc`: the onboarding key, the Helm values with it, and the manifests and commands for the agents. */
import { join } from "node:path";
import { Document } from "yaml";
import type { OutputFile } from "../../files/output-file.js";
import { abandonedDrafts, makePrivate, readTextIfThere, removeFile } from "../../files/text-file.js";
import { writeText, writeTextOnce } from "../../files/write.js";
import { markedFile, type Writer } from "../../files/written-mark.js";
import { arcFiles } from "../../domain/directory-files.js";

export const arcFileNames: readonly string[] = Object.values(arcFiles);

/** Who writes the files of a connected cluster, by its resource ID. */
export function arcWriter(clusterId: string): Writer {
  return { command: "create arc", owner: clusterId };
}

/** The files in the directory that a run replaces. An existing key is used. */
export function arcOutputs(directory: string, clusterId: string): readonly OutputFile[] {
  const { privateKey: _, ...replaced } = arcFiles;
  return Object.values(replaced).map((name) => markedFile(join(directory, name), arcWriter(clusterId)));
}

export interface OnboardingKeyFile {
  readonly path: string;
  /** PEM of PKCS#1. */
  readonly text: string;
  /** Whether other users can read it. */
  readonly exposed: boolean;
  /** Drafts of the key that a killed run left. */
  readonly abandoned: readonly string[];
}

/** @throws ARO-FILE-001 or 002 */
export async function readOnboardingKey(directory: string, now: Date): Promise<OnboardingKeyFile | undefined> {
  const path = join(directory, arcFiles.privateKey);
  const [file, abandoned] = await Promise.all([readTextIfThere(path), abandonedDrafts(path, now)]);
  return file && { path, text: file.text, exposed: (file.mode & 0o077) !== 0, abandoned };
}

/** Never replaces an existing key: false if the file was created in the meantime. @throws ARO-RUN-006 */
export function keepOnboardingKey(directory: string, pem: string): Promise<boolean> {
  return writeTextOnce(join(directory, arcFiles.privateKey), pem, 0o600);
}

/** Nobody else can read the key afterwards, and no draft of it is left. */
export async function protectOnboardingKey({ path, exposed, abandoned }: OnboardingKeyFile): Promise<void> {
  if (exposed) await makePrivate(path);
  await Promise.all(abandoned.map(removeFile));
}

export interface AgentFile extends OutputFile {
  readonly text: string;
  readonly mode: 0o600 | 0o644;
}

/** Whether the file has this text, and nobody else can read a private one. @throws ARO-FILE-001 or 002 */
export async function hasText({ path, text, mode }: AgentFile): Promise<boolean> {
  const live = await readTextIfThere(path);
  return live?.text === text && (mode !== 0o600 || (live.mode & 0o077) === 0);
}

/** @throws ARO-RUN-006 */
export async function writeAgentFile(file: AgentFile): Promise<void> {
  await writeText(file, file.text, file.mode);
}

/** Helm and kubectl read YAML 1.1. */
export function yamlText(value: object): string {
  return new Document(value, { schema: "yaml-1.1", aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
}

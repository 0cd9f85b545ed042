/** The files of `create arc`: the onboarding key, the Helm values with it, and the manifests and commands for the agents. */
import { join } from "node:path";
import { Document } from "yaml";
import { arcFiles } from "../domain/arc/names.js";
import { makePrivate, readTextIfThere, writeText, writeTextOnce } from "./text-file.js";

export const arcFileNames: readonly string[] = Object.values(arcFiles);

export interface OnboardingKeyFile {
  readonly path: string;
  /** PEM of PKCS#1. */
  readonly text: string;
  /** Whether other users can read it. */
  readonly exposed: boolean;
}

/** @throws ARO-FILE-001 or 002 */
export async function readOnboardingKey(directory: string): Promise<OnboardingKeyFile | undefined> {
  const path = join(directory, arcFiles.privateKey);
  const file = await readTextIfThere(path);
  return file && { path, text: file.text, exposed: (file.mode & 0o077) !== 0 };
}

/** Never replaces an existing key: false if the file was created in the meantime. @throws ARO-RUN-006 */
export function keepOnboardingKey(directory: string, pem: string): Promise<boolean> {
  return writeTextOnce(join(directory, arcFiles.privateKey), pem, 0o600);
}

export function hideOnboardingKey(directory: string): Promise<void> {
  return makePrivate(join(directory, arcFiles.privateKey));
}

export interface AgentFile {
  readonly path: string;
  readonly text: string;
  readonly mode: 0o600 | 0o644;
}

/** Whether the file has this text, and nobody else can read a private one. @throws ARO-FILE-001 or 002 */
export async function hasText({ path, text, mode }: AgentFile): Promise<boolean> {
  const live = await readTextIfThere(path);
  return live?.text === text && (mode !== 0o600 || (live.mode & 0o077) === 0);
}

/** @throws ARO-RUN-006 */
export async function writeAgentFile({ path, text, mode }: AgentFile): Promise<void> {
  await writeText(path, text, mode);
}

/** Helm and kubectl read YAML 1.1. */
export function yamlText(value: object): string {
  return new Document(value, { schema: "yaml-1.1", aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
}

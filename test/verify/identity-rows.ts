/** A row of the table of identity checks: the fault, and how to follow the advice. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openState } from "../../src/emulator/open.js";
import { givenDocument } from "../../src/files/given-document.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import type { IdentityChain } from "../../src/verify/identities/chain.js";
import type { HealthyState } from "./healthy-state.js";

/** Inputs of the verification that replace the defaults. */
type Given = Partial<IdentityChain>;

export interface Row {
  /** Check and subject: "sign-in/cpo". */
  readonly row: string;
  readonly warning?: true;
  readonly breaks: (state: HealthyState) => Promise<unknown>;
  /** The expected evidence. */
  readonly evidence: RegExp;
  /** Follows the advice; returns changed inputs for the next verification, if the advice asks for them. */
  readonly follow: (state: HealthyState, result: Result) => Promise<Given | void>;
  /** Failures that only appear afterwards: their advice is followed too, and then everything passes. */
  readonly leaves?: readonly string[];
}

export interface Wave {
  readonly title: string;
  readonly rows: readonly Row[];
  /** How long ago everything was created. */
  readonly daysAgo?: number;
  readonly given?: (state: HealthyState) => Promise<Given>;
}

export type AzureState = Parameters<Parameters<ReturnType<typeof openState>["transact"]>[0]>[0];

/** Changes the emulator's state in a way that no request can. */
export async function change(state: HealthyState, alter: (state: AzureState) => void): Promise<void> {
  await openState(state.directory).transact((stored) => {
    alter(stored);
    return { value: undefined, commit: true };
  });
}

export interface Files {
  controlPlane: Record<string, Record<string, unknown>>;
  dataPlane: Record<string, unknown>;
  kms?: Record<string, unknown>;
}

export const identitiesFile = (state: HealthyState) => join(state.files, "identities.json");

/** Changes identities.json; the returned function undoes it. */
export async function editFiles(state: HealthyState, edit: (files: Files) => unknown): Promise<() => Promise<void>> {
  const path = identitiesFile(state);
  const before = await readFile(path, "utf8");
  const files = JSON.parse(before) as Files;
  const whole = edit(files) ?? files;
  await writeFile(path, typeof whole === "string" ? whole : JSON.stringify(whole, undefined, 2));
  return () => writeFile(path, before);
}

/** A file that `create all` wrote, used instead of identities.json. */
export async function otherFile(state: HealthyState, name: string): Promise<Given> {
  return { managedIdentities: await givenDocument(join(state.files, name)) };
}

/** A row of the table of identity checks: a fault, the check that reports it, and how to follow the advice. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { givenDocument } from "../../../src/files/given-document.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import type { IdentityChain } from "../../../src/identities/verify/chain.js";
import type { HealthyState } from "../../verify/healthy-state.js";

/** Inputs of the verification that replace the defaults. */
type Given = Partial<IdentityChain>;

/** Follows the advice; returns changed inputs for the next verification, if the advice asks for them. */
type Follow = (state: HealthyState, result: Result) => Promise<Given | void>;

interface Finding {
  /** Check and subject: "sign-in/cpo". */
  readonly row: string;
  /** The expected evidence. */
  readonly evidence: RegExp;
}

export interface Row extends Finding {
  /** Completes the name of the test: "sign-in/cpo reports ...". */
  readonly fault: string;
  readonly warning?: true;
  /** Days since everything was created. All components have the fault then, so only those of the row's subject are compared. */
  readonly daysAgo?: number;
  readonly breaks?: (state: HealthyState) => Promise<unknown>;
  readonly given?: (state: HealthyState) => Promise<Given>;
  /** Parts of the expected advice. */
  readonly next?: RegExp;
  /** Absent where `next` alone is compared. */
  readonly follow?: Follow;
  /** Further findings of the same fault. The row's advice fixes those without their own `follow`. */
  readonly also?: readonly (Finding & { readonly follow?: Follow })[];
  /** Failures of checks that can run only after the advice was followed. Following their advice too fixes everything. */
  readonly leaves?: readonly string[];
}

export interface Files {
  controlPlane: Record<string, Record<string, unknown>>;
  dataPlane: Record<string, unknown>;
  kms?: Record<string, unknown>;
}

export const identitiesOutputFile = (state: HealthyState) => join(state.files, "identities.json");

/** Changes identities.json; the returned function undoes it. */
export async function editFiles(state: HealthyState, edit: (files: Files) => unknown): Promise<() => Promise<void>> {
  const path = identitiesOutputFile(state);
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

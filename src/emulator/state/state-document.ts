/** The documents in an epoch's folder: a whole state, and what a commit changed. */
import { EmulatorStateError } from "../common/emulator-error.js";
import type { Change } from "./changes.js";
import { isContainer } from "./plain-copy.js";
import type { AzureState } from "./state.js";

const version = 5;

type Kind = "object" | "list" | "text" | "number";

/** The members that every state has. */
const required = {
  seed: "number",
  samples: "number",
  tenantId: "text",
  subscriptions: "list",
  tokenKey: "text",
  resources: "object",
  operations: "object",
  roleAssignments: "object",
  applications: "object",
  operationLog: "object",
  operationCount: "number",
} as const satisfies Partial<Record<keyof AzureState, Kind>>;

/** Each entry is an object with these texts. Otherwise, commands would fail with an error of the program. */
const entries = {
  resources: ["id", "name", "type"],
  operations: [],
  roleAssignments: [],
  applications: ["appId", "id"],
  deletedApplications: ["appId", "id"],
  deletedPrincipals: ["appId", "id"],
  people: ["id"],
  managementGroups: ["name"],
  subscriptions: ["subscriptionId"],
  vaults: [],
  managedHsms: [],
} as const satisfies Partial<Record<keyof AzureState, readonly string[]>>;

export interface Delta {
  readonly changes: readonly Change[];
  /** Nobody commits after it. */
  readonly seals?: true;
  /** In place of the whole state. */
  readonly state?: AzureState;
}

/** @throws EmulatorStateError that names the file */
export function parseBase(text: string, file: string): AzureState {
  if (text.trim() === "") throw damaged(file, "it is empty");
  return checked(parsed(text), file);
}

/** @throws EmulatorStateError that names the file */
export function parseDelta(text: string, file: string): Delta {
  const delta = parsed(text);
  if (delta === undefined || !Array.isArray(delta["changes"]) || !delta["changes"].every(isChange))
    throw damaged(file, "it is not a list of changes");
  if (delta["state"] !== undefined) checked(delta["state"], file);
  return delta as unknown as Delta;
}

export function isSeal(text: string | undefined): boolean {
  return parsed(text ?? "")?.["seals"] === true;
}

export function damaged(file: string, why: string, cause?: unknown): EmulatorStateError {
  return new EmulatorStateError(`the emulator's state in ${file} is damaged: ${why}`, { cause });
}

export function otherVersion(place: string, found: unknown): EmulatorStateError {
  return new EmulatorStateError(
    `the emulator's state in ${place} has version ${JSON.stringify(found)}, but this program reads version ${String(version)}`,
  );
}

function checked(state: unknown, file: string): AzureState {
  if (!isContainer(state) || Array.isArray(state)) throw damaged(file, "it is not a JSON object");
  if (state["version"] === undefined) throw damaged(file, "it has no version");
  if (state["version"] !== version) throw otherVersion(file, state["version"]);
  // Without one of them, requests would fail with an error of the program.
  const wrong = Object.entries(required).find(([key, kind]) => kindOf(state[key]) !== kind);
  if (wrong !== undefined) throw damaged(file, `"${wrong[0]}" is missing, or of another type`);
  for (const [collection, texts] of Object.entries(entries)) {
    for (const [key, entry] of Object.entries(state[collection] ?? {})) {
      if (!hasTexts(entry, texts)) throw damaged(file, `${JSON.stringify(key)} in "${collection}" is incomplete`);
    }
  }
  return state as unknown as AzureState;
}

function hasTexts(entry: unknown, texts: readonly string[]): boolean {
  return isContainer(entry) && !Array.isArray(entry) && texts.every((text) => typeof entry[text] === "string");
}

function isChange(value: unknown): value is Change {
  if (!isContainer(value) || Array.isArray(value) || !Array.isArray(value["at"])) return false;
  return !("items" in value) || (Array.isArray(value["items"]) && Number.isInteger(value["from"]));
}

/** Undefined if it is not a JSON object: the disk was full, or the file was edited. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isContainer(value) && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return "list";
  if (typeof value === "object" && value !== null) return "object";
  if (typeof value === "string") return "text";
  return typeof value === "number" ? "number" : undefined;
}

/** Reads a stored state. What cannot be used is refused with its file: a request would fail with an error of the program. */
import { EmulatorStateError } from "../emulator-error.js";
import type { AzureState } from "./state.js";

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
  applications: "list",
  operationLog: "list",
} as const satisfies Partial<Record<keyof AzureState, Kind>>;

/** @throws EmulatorStateError */
export function parseState(text: string, file: string): AzureState {
  if (text.trim() === "") throw damaged(file, "it is empty");
  const state = parsed(text);
  if (state === undefined) throw damaged(file, "it is not a JSON object");
  const { version } = state;
  if (version === undefined) throw damaged(file, "it has no version");
  if (version !== 2) {
    throw new EmulatorStateError(
      `the emulator's state in ${file} has version ${JSON.stringify(version)}, but this program reads version 2`,
    );
  }
  return state as unknown as AzureState;
}

/** @throws EmulatorStateError if a member is missing, without which requests fail */
export function requireMembers(state: AzureState, file: string): void {
  const wrong = Object.entries(required).find(([key, kind]) => kindOf(state[key as keyof typeof required]) !== kind);
  if (wrong !== undefined) throw damaged(file, `"${wrong[0]}" is missing, or of another type`);
}

function damaged(file: string, why: string): EmulatorStateError {
  return new EmulatorStateError(`the emulator's state in ${file} is damaged: ${why}`);
}

/** Undefined if it is not a JSON object: the disk was full, or the file was edited. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return kindOf(value) === "object" ? (value as Record<string, unknown>) : undefined;
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

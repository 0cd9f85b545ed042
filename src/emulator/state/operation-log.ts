/** The log of the newest operations in the state, by number. */
import type { AzureState, OperationLogEntry } from "./state.js";

/** Each is some 200 bytes of the state. */
export const longestLog = 10_000;

export function logOperation(state: AzureState, entry: OperationLogEntry): void {
  state.operationLog[state.operationCount++] = entry;
}

/** The entries from this number on, oldest first. */
export function operationsFrom({ operationLog, operationCount }: AzureState, first: number): OperationLogEntry[] {
  const entries: OperationLogEntry[] = [];
  for (let number = Math.max(first, operationCount - longestLog); number < operationCount; number++) {
    const entry = operationLog[number];
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

/** Ends a request that has logged from `first` on: names it in its entries, and drops as many of the oldest. */
export function nameRequest(state: AzureState, first: number, request: string): void {
  for (const entry of operationsFrom(state, first)) entry.request = request;
  for (let number = first; number < state.operationCount; number++) delete state.operationLog[number - longestLog];
}

/** For what no client has done. */
export function forgetFrom(state: AzureState, first: number): void {
  while (state.operationCount > first) delete state.operationLog[--state.operationCount];
}

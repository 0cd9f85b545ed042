/** The common parts of the Azure CLI commands of the tests: flags, context, and the lookup of a resource by name. */
import { subscriptionScope } from "../../src/domain/resource-id.js";
import type { Azure } from "../../src/azure/azure.js";
import { azureRest, type Properties } from "./azure-rest.js";

/** Where a command line runs. */
export interface AzContext {
  readonly azure: Azure;
  /** Directory of the emulator's state. */
  readonly directory: string;
}

export type Words = Readonly<Record<string, readonly string[]>>;

/** The value of a flag; "" without the flag. */
export type One = (flag: string) => string;

export interface Verb {
  /** As in the help of az: `--name [--location] [--yes!]`. `!` marks a switch, `*` several values. */
  readonly usage: string;
  run(context: AzContext, one: One, words: Words): Promise<unknown>;
}

export const keyVault = "2026-02-01";

export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly properties: Properties;
}

/** Finds a resource by its name alone, as az does. */
export async function named(azure: Azure, type: string, version: string, name: string): Promise<Listed> {
  const found = (await list(azure, type, version)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${type} ${name} not found`);
  return found;
}

export async function list(azure: Azure, type: string, version: string): Promise<Listed[]> {
  const { value } = await azureRest(azure).arm("GET", `${subscriptionScope(azure.connection.subscriptionId)}/providers/${type}`, version);
  return value as Listed[];
}

export function idIn({ connection }: Azure, group: string, path: string): string {
  return `${subscriptionScope(connection.subscriptionId)}/resourceGroups/${group}/providers/${path}`;
}

/** @throws Error for any other query. */
export function onlyQuery(one: One, query: string): void {
  if (one("query") !== query) throw new Error(`--query ${one("query")} is not supported in tests`);
}
